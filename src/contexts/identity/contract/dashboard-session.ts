import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';

export interface FactorProof {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
  /** Field `code` of the form: a one-time code, a recovery code, or the response of a passkey. */
  readonly code: string;
}

export abstract class SecondFactor {
  /**
   * Verifies the second factor again for one act. Each code works once. Call this before the act's unit of work.
   * @returns the session's new cookie. It replaces the old one immediately, so set it even if the act is refused.
   * @throws DomainError on `code` if it is wrong or was used before; RateLimited after too many wrong codes
   */
  abstract demand(proof: FactorProof): Promise<{ readonly sessionToken: string }>;
}

/** Passes a secret from the form that creates it to the page that displays it once. */
export abstract class ShownOnce {
  /**
   * Stores a secret for five minutes, for one page of one session.
   * @returns the token that opens the secret; the database does not contain it
   */
  abstract keep(session: SessionId, page: string, secret: string): Promise<string>;
  /** @returns the secret for the first caller in any process; null for later callers and after the five minutes */
  abstract take(session: SessionId, page: string, token: string | undefined): Promise<string | null>;
}
