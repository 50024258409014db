import type { CollaboratorId, DashboardSessionId } from '#shared/kernel/ids.js';

export interface SecondFactorSubmission {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: DashboardSessionId;
  /** A one-time code, a recovery code, or the response of a passkey. */
  readonly code: string;
}

export abstract class SecondFactorVerifier {
  /**
   * Each code works once. Call this before the action's unit of work. @returns the session's new cookie: set it even
   * if the action is refused @throws DomainError on `code`; RateLimited
   */
  abstract verify(proof: SecondFactorSubmission): Promise<{ readonly sessionToken: string }>;
}

export abstract class OneTimeSecretStore {
  /**
   * Readable for five minutes by one page of one session. @returns the token that decrypts the secret; the database
   * does not contain it
   */
  abstract storeSecret(session: DashboardSessionId, page: string, secret: string): Promise<string>;
  abstract consumeSecret(
    session: DashboardSessionId,
    page: string,
    token: string | undefined,
  ): Promise<string | null>;
}
