import { SignJWT } from 'jose';
import { unavailable } from '#shared/kernel/domain-error.js';
import type { CredentialId } from '#shared/kernel/ids.js';
import type { ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';

/** The only algorithm for signing and verifying tokens (RFC 8725, section 3.1). */
export const ACCESS_TOKEN_ALGORITHM = 'HS256';

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

interface AccessTokenSettings {
  readonly tokenKeys: SigningKeyRing<ScheduledSigningKey & { readonly secret: Buffer }>;
  readonly issuer: string;
  readonly audience: string;
  readonly tokenLifetimeSeconds: number;
}

/** Tokens contain no rights: every request reads those from the database. */
export class IssueAccessToken {
  constructor(private readonly settings: AccessTokenSettings) {}

  async issue(credential: CredentialId, now: Date): Promise<AccessToken> {
    const { tokenKeys, issuer, audience, tokenLifetimeSeconds } = this.settings;
    const issuedAt = Math.floor(now.getTime() / 1000);
    const expiresAt = new Date((issuedAt + tokenLifetimeSeconds) * 1000);
    // Without a key that outlives the token, the token expires with its key.
    const key = tokenKeys.signingKeyAt(now, expiresAt) ?? tokenKeys.signingKeyAt(now, now);
    if (key === undefined) throw unavailable('Every key that signs access tokens has expired.');
    const token = await new SignJWT()
      .setProtectedHeader({ alg: ACCESS_TOKEN_ALGORITHM, typ: 'JWT', kid: key.id })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(credential)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key.secret);
    return { token, expiresAt };
  }
}
