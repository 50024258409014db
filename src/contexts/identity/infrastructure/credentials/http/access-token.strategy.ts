import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { decodeProtectedHeader } from 'jose';
import { LRUCache } from 'lru-cache';
import passportJwt from 'passport-jwt';
import { isUuid, type CredentialId } from '#shared/kernel/ids.js';
import { CallerAddressResolver } from '#shared/platform/http/callers/caller-address-resolver.js';
import type { Principal, RequestWithPrincipal } from '#shared/platform/http/callers/principal.js';
import { AuthenticateRequest } from '#contexts/identity/application/credentials/authenticate-request.js';
import { accessRefusals } from '#contexts/identity/domain/credentials/access-refusals.js';
import { IdentitySettings } from '../../identity-settings.js';
import { ACCESS_TOKEN_ALGORITHM } from '#contexts/identity/application/credentials/issue-access-token.js';
import { AccessTokenVerificationKeys } from './access-token-verification-keys.js';
import { CredentialRateLimits } from './credential-rate-limits.js';
import { authenticationHeadersOf, type RequestWithCachedHeaders } from './request-headers.js';

export const ACCESS_TOKEN_STRATEGY = 'access-token';

/** Disables the expiry check of the JWT library. */
const EPOCH_SECONDS_BEFORE_ALL_TOKENS = 1;
const MAX_CACHED_TOKENS = 10_000;

type CallersRequest = Request & RequestWithPrincipal & RequestWithCachedHeaders;

interface VerifiedToken {
  readonly kid: string;
  readonly key: KeyObject;
  readonly credentialId: CredentialId;
  readonly expiresAt: Date;
}

/** Passport registers strategies globally by name, so a process serves only one application. */
@Injectable()
export class AccessTokenStrategy extends PassportStrategy(passportJwt.Strategy, ACCESS_TOKEN_STRATEGY) {
  private readonly proven = new LRUCache<string, VerifiedToken>({ max: MAX_CACHED_TOKENS });

  constructor(
    private readonly authenticateRequest: AuthenticateRequest,
    private readonly callerAddress: CallerAddressResolver,
    private readonly rates: CredentialRateLimits,
    private readonly settings: IdentitySettings,
    private readonly keys: AccessTokenVerificationKeys,
  ) {
    super({
      jwtFromRequest: (request: RequestWithCachedHeaders) =>
        authenticationHeadersOf(request, settings.apiKeys.headerAlias).token,
      secretOrKeyProvider: (_request, token: string, done) => {
        const named = findNamedKey(token, keys);
        if (named === undefined) done(new Error('The token names a key that is not accepted now.'));
        // jsonwebtoken accepts a KeyObject, and would convert a Buffer on every request.
        else done(null, named.key as unknown as Buffer);
      },
      algorithms: [ACCESS_TOKEN_ALGORITHM],
      issuer: settings.issuer,
      audience: settings.audience,
      // The database clock checks the expiry later, because a process may have a wrong clock.
      jsonWebTokenOptions: { clockTimestamp: EPOCH_SECONDS_BEFORE_ALL_TOKENS },
      passReqToCallback: true,
    });
  }

  /** Passport calls this; `success` and `fail` report the result. Caches verified tokens until their key expires. */
  override authenticate(request: CallersRequest, options?: unknown): void {
    const { token } = authenticationHeadersOf(request, this.settings.apiKeys.headerAlias);
    const known = token === null ? undefined : this.proven.get(token);
    if (known === undefined || this.keys.find(known.kid) !== known.key)
      return super.authenticate(request, options);
    this.proveCaller(request, known).then(
      (principal) => this.success(principal),
      (error: Error) => this.error(error),
    );
  }

  validate(
    request: CallersRequest,
    { sub: credentialId, exp }: { sub?: unknown; exp?: number },
  ): Promise<Principal> {
    const token = authenticationHeadersOf(request, this.settings.apiKeys.headerAlias).token!;
    const named = findNamedKey(token, this.keys);
    if (named === undefined || exp === undefined || !isCredentialId(credentialId))
      throw accessRefusals.tokenInvalid();
    const proven = { ...named, credentialId, expiresAt: new Date(exp * 1000) };
    this.proven.set(token, proven);
    return this.proveCaller(request, proven);
  }

  private async proveCaller(
    request: CallersRequest,
    { credentialId, expiresAt }: VerifiedToken,
  ): Promise<Principal> {
    // A refusal costs no database work. The request is counted after all checks pass.
    if (!request.hasOwnRate) this.rates.requireRequestLeft(credentialId);
    const address = this.callerAddress.addressOf(request);
    const { credential, now } = await this.authenticateRequest.authenticate({
      token: { credentialId, expiresAt },
      apiKey: authenticationHeadersOf(request, this.settings.apiKeys.headerAlias).apiKey ?? '',
      address,
    });
    if (!request.hasOwnRate) this.rates.countRequest(credential.id, request.res);
    return {
      credentialId: credential.id,
      keyId: credential.keyId,
      scope: { organizationId: credential.organizationId, accountId: credential.accountId },
      pointOfSaleId: credential.pointOfSaleId,
      roles: new Set(credential.roles),
      address,
      at: now,
    };
  }
}

/** If another key signed the token, verification fails. */
function findNamedKey(
  token: string,
  keys: AccessTokenVerificationKeys,
): { kid: string; key: KeyObject } | undefined {
  try {
    const { kid, typ } = decodeProtectedHeader(token);
    const key = typeof kid === 'string' && typ === 'JWT' ? keys.find(kid) : undefined;
    return key && { kid: kid!, key };
  } catch {
    return undefined;
  }
}

function isCredentialId(subject: unknown): subject is CredentialId {
  return typeof subject === 'string' && isUuid(subject);
}
