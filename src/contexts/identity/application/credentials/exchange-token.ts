import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import type { Caller } from '#shared/kernel/rate-limits.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { isKeyIdOf, keyIdOf, KeyEnvironment } from '../../domain/credentials/credential.js';
import { accessRefusals } from '../../domain/credentials/access-refusals.js';
import { CredentialProofs } from '../../infrastructure/credentials/persistence/credential-proofs.js';
import { secretMatches } from '../secret.js';
import {
  ExchangeAttempts,
  type AttemptsLeft,
} from '../../infrastructure/credentials/persistence/exchange-attempts.js';
import { IssueAccessToken, type AccessToken } from './issue-access-token.js';

export interface TokenExchange {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly address: string;
  readonly caller: Caller;
  readonly counted: (left: AttemptsLeft) => void;
}

/** Queried instead of a malformed key id, so that every refusal costs the same query. */
const UNKNOWN_CREDENTIAL_ID = '00000000-0000-0000-0000-000000000000' as CredentialId;

/**
 * The secret is compared before any rate limit applies, so wrong secrets sent by others cannot lock out the owner.
 */
@Injectable()
export class ExchangeToken {
  constructor(
    private readonly environment: KeyEnvironment,
    private readonly proofs: CredentialProofs,
    private readonly issueAccessToken: IssueAccessToken,
    private readonly attempts: ExchangeAttempts,
  ) {}

  async exchange({ apiKey, apiSecret, address, caller, counted }: TokenExchange): Promise<AccessToken> {
    const possible = isKeyIdOf(this.environment.name, apiKey);
    const keyId = possible ? apiKey : keyIdOf(this.environment.name, UNKNOWN_CREDENTIAL_ID);
    const { credential, now } = await this.proofs.read(keyId);
    const matches = secretMatches(apiSecret, credential?.secretDigest ?? null);
    if (!matches || credential === null) {
      counted(await this.attempts.countFailedExchange(keyId, caller));
      throw accessRefusals.credentialsInvalid();
    }
    counted(await this.attempts.countExchange(keyId, caller));
    if (!credential.enabled) throw accessRefusals.credentialDisabled();
    if (!allowsAddress(credential.allowedAddresses, address)) throw accessRefusals.addressNotAllowed();
    this.proofs.noteUse(credential.id, now);
    return this.issueAccessToken.issue(credential.id, now);
  }
}
