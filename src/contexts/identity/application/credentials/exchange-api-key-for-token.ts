import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import type { CallerAddressRanges } from '#shared/kernel/rate-limits.js';
import { allowsIpAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { isKeyIdOf, keyIdOf, ApiKeyEnvironment } from '../../domain/credentials/credential.js';
import { accessRefusals } from '../../domain/credentials/access-refusals.js';
import { CredentialLookup } from '../../infrastructure/credentials/persistence/credential-lookup.js';
import { secretMatches } from '../secret.js';
import {
  AuthenticationAttempts,
  type AttemptsLeft,
} from '../../infrastructure/credentials/persistence/authentication-attempts.js';
import { IssueAccessToken, type AccessToken } from './issue-access-token.js';

export interface ExchangeApiKeyInput {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly address: string;
  readonly caller: CallerAddressRanges;
  readonly counted: (left: AttemptsLeft) => void;
}

/** Queried instead of a malformed key id, so that every refusal costs the same query. */
const UNKNOWN_CREDENTIAL_ID = '00000000-0000-0000-0000-000000000000' as CredentialId;

/**
 * The secret is compared before any rate limit applies, so wrong secrets sent by others cannot lock out the owner.
 */
@Injectable()
export class ExchangeApiKeyForToken {
  constructor(
    private readonly environment: ApiKeyEnvironment,
    private readonly proofs: CredentialLookup,
    private readonly issueAccessToken: IssueAccessToken,
    private readonly attempts: AuthenticationAttempts,
  ) {}

  async exchange({ apiKey, apiSecret, address, caller, counted }: ExchangeApiKeyInput): Promise<AccessToken> {
    const sent = this.environment.canonicalKeyId(apiKey);
    const possible = isKeyIdOf(this.environment.name, sent);
    const keyId = possible ? sent : keyIdOf(this.environment.name, UNKNOWN_CREDENTIAL_ID);
    const { credential, now } = await this.proofs.read(keyId);
    const matches = secretMatches(apiSecret, credential?.secretDigest ?? null);
    if (!matches || credential === null) {
      counted(await this.attempts.countFailedTokenExchange(keyId, caller));
      throw accessRefusals.credentialsInvalid();
    }
    counted(await this.attempts.countTokenExchange(keyId, caller));
    if (!credential.enabled) throw accessRefusals.credentialDisabled();
    if (!allowsIpAddress(credential.allowedAddresses, address)) throw accessRefusals.addressNotAllowed();
    this.proofs.recordUse(credential.id, now);
    return this.issueAccessToken.issue(credential.id, now);
  }
}
