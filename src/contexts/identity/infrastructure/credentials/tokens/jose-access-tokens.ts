import { Injectable } from '@nestjs/common';
import { SignJWT } from 'jose';
import { unavailable } from '#shared/kernel/domain-error.js';
import type { CredentialId } from '#shared/kernel/ids.js';
import { AccessTokens, type AccessToken } from '#contexts/identity/application/credentials/exchange-token.js';
import { IdentitySettings } from '../../identity-settings.js';
import { TOKEN_ALGORITHM, TokenKeys } from './token-keys.js';

/** JSON Web Tokens (RFC 7519). They contain the credential's id but no rights, which are read from the database on every request. */
@Injectable()
export class JoseAccessTokens extends AccessTokens {
  constructor(
    private readonly settings: IdentitySettings,
    private readonly keys: TokenKeys,
  ) {
    super();
  }

  async issue(credential: CredentialId, now: Date): Promise<AccessToken> {
    const { issuer, audience, tokenLifetimeSeconds } = this.settings;
    const issuedAt = Math.floor(now.getTime() / 1000);
    const expiresAt = issuedAt + tokenLifetimeSeconds;
    const signing = this.keys.signing(now, new Date(expiresAt * 1000));
    if (signing === undefined) throw unavailable('Every key that signs access tokens has expired.');
    const { id: kid, key } = signing;
    const token = await new SignJWT()
      .setProtectedHeader({ alg: TOKEN_ALGORITHM, typ: 'JWT', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(credential)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key);
    return { token, expiresAt: new Date(expiresAt * 1000) };
  }
}
