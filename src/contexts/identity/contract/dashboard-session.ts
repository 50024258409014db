import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';

export interface FactorProof {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
  /** Value of the form field `code`: a one-time code, a recovery code, or the response of a passkey. */
  readonly code: string;
}

export abstract class SecondFactor {
  /**
   * Verifies the second factor before a sensitive action, such as creating an API key. Each code works once. Call this
   * before the action's unit of work.
   * @returns the session's new cookie, which replaces the old one immediately: set it even if the action is refused
   * @throws DomainError on `code` if it is wrong or already used; RateLimited after too many wrong codes
   */
  abstract verify(proof: FactorProof): Promise<{ readonly sessionToken: string }>;
}

/** Passes a secret from the form that creates it to the page that displays it once. */
export abstract class ShownOnce {
  /**
   * Stores a secret for five minutes, readable by one page of one session.
   * @returns the token that decrypts the secret; the database does not contain the token
   */
  abstract storeSecret(session: SessionId, page: string, secret: string): Promise<string>;
  /** Returns the secret and deletes it. @returns null if the secret was already taken or has expired */
  abstract takeSecret(session: SessionId, page: string, token: string | undefined): Promise<string | null>;
}
