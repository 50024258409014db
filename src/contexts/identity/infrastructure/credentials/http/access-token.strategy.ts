import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { decodeProtectedHeader } from 'jose';
import passportJwt from 'passport-jwt';
import type { CredentialId } from '#shared/kernel/ids.js';
import { CallerAddress } from '#shared/platform/http/callers/caller-address.js';
import type { Principal, ProvenRequest } from '#shared/platform/http/callers/principal.js';
import { ProveAccess } from '#contexts/identity/application/credentials/prove-access.js';
import { IdentitySettings } from '../../identity-settings.js';
import { provenKeyOf, useJoseVerifier } from '../tokens/jose-verifier.js';
import { TOKEN_ALGORITHM, TokenKeys } from '../tokens/token-keys.js';
import { CredentialRates } from './credential-rates.js';
import { presentedProofs, type PresentingRequest } from './request-headers.js';

export const ACCESS_TOKEN_STRATEGY = 'access-token';

/**
 * Proves the caller, from the two headers to the source address. The guard checks role and scope by route.
 * Passport keeps strategies by name for the whole process, so a process can serve one application.
 */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(passportJwt.Strategy, ACCESS_TOKEN_STRATEGY) {
  constructor(
    private readonly proveAccess: ProveAccess,
    private readonly callerAddress: CallerAddress,
    private readonly rates: CredentialRates,
    settings: IdentitySettings,
    keys: TokenKeys,
  ) {
    super({
      jwtFromRequest: (request: PresentingRequest) => presentedProofs(request).token,
      secretOrKeyProvider: (_request: Request, token: string, done: KeyCallback) =>
        done(null, keyOf(token, keys)),
      algorithms: [TOKEN_ALGORITHM],
      issuer: settings.issuer,
      audience: settings.audience,
      passReqToCallback: true,
    } as unknown as passportJwt.StrategyOptionsWithRequest);
    useJoseVerifier();
  }

  /** @throws DomainError with the first proof that fails */
  async validate(
    request: Request & ProvenRequest & PresentingRequest,
    { sub: credentialId, exp }: { sub: CredentialId; exp: number },
  ): Promise<Principal> {
    // Before the database is asked, so that a refusal costs it nothing; counted once the proofs have succeeded.
    if (!request.hasOwnRate) this.rates.demandLeft(credentialId);
    const address = this.callerAddress.addressOf(request);
    const { credential, now } = await this.proveAccess.execute({
      token: { credentialId, expiresAt: new Date(exp * 1000) },
      apiKey: presentedProofs(request).apiKey ?? '',
      address,
    });
    if (!request.hasOwnRate) this.rates.take(credential.id, request.res);
    return {
      credentialId: credential.id,
      keyId: credential.keyId,
      scope: { organizationId: credential.organizationId, accountId: credential.accountId },
      roles: new Set(credential.roles),
      address,
      at: now,
    };
  }
}

type KeyCallback = (error: Error | null, key?: unknown) => void;

/** The key that the token's header names; another key's signature cannot match it. */
function keyOf(token: string, keys: TokenKeys): unknown {
  const proven = provenKeyOf(token);
  if (proven !== undefined && keys.has(proven)) return proven;
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? keys.find(kid) : undefined;
  } catch {
    return undefined;
  }
}
