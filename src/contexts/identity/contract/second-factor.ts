import type { CollaboratorId, SessionId } from '#shared/kernel/ids.js';

export interface FactorProof {
  readonly collaboratorId: CollaboratorId;
  readonly sessionId: SessionId;
  /** A one-time code of the authenticator app or a recovery code, or what a passkey signed; as the form posted it in `code`. */
  readonly code: string;
}

export abstract class SecondFactor {
  /**
   * Proves the second factor again for one act. Each code works once. Call it before the act's unit of work.
   * @returns the session's new cookie, which takes the place of the old one from now on: set it also where the act is refused
   * @throws DomainError on `code` where it is wrong or was used; RateLimited after too many wrong ones
   */
  abstract demand(proof: FactorProof): Promise<{ readonly sessionToken: string }>;
}
