import type { CredentialId } from '../../../shared/kernel/ids.js';

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export abstract class AccessTokens {
  /** @param now the database clock's, as every lifetime is counted by it */
  abstract issue(credential: CredentialId, now: Date): Promise<AccessToken>;
}
