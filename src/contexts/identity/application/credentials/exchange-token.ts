import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import type { Caller, RatePolicy } from '#shared/kernel/rate-limits.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { isKeyIdOf, keyIdOf, KeyEnvironment } from '../../domain/credentials/credential.js';
import { refusals } from '../../domain/credentials/access-refusals.js';
import { CredentialProofs } from './prove-access.js';
import { secretMatches } from '../secret.js';

export interface AttemptsLeft {
  readonly policy: RatePolicy;
  readonly left: number;
  /** Whole seconds until the limit resets. */
  readonly seconds: number;
}

/** Counts token exchanges and pairings exactly across all replicas. A one-minute window begins with its first attempt. */
export abstract class ExchangeAttempts {
  /** @throws RateLimited; the refused exchange is not counted */
  abstract takeToken(keyId: string, caller: Caller): Promise<AttemptsLeft>;
  /** Counts a wrong secret for the key and caller together, and for the caller. @throws RateLimited above either limit */
  abstract takeFailure(keyId: string, caller: Caller): Promise<AttemptsLeft>;
  /** @throws RateLimited; the refused attempt is not counted */
  abstract takePairing(caller: Caller): Promise<void>;
  /** Counts an attempt above the caller's limit against the limit shared by all callers. @throws RateLimited */
  abstract takePairingBeyond(): Promise<void>;
  /** Removes a successful attempt from the count. Never throws: the caller is about to return a secret that cannot be returned again. */
  abstract givePairingBack(caller: Caller): Promise<void>;
}

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export abstract class AccessTokens {
  /** @param now current time of the database clock, which determines the token's expiry */
  abstract issue(credential: CredentialId, now: Date): Promise<AccessToken>;
}

export interface TokenExchange {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Canonical address of the caller. */
  readonly address: string;
  readonly caller: Caller;
  readonly counted: (left: AttemptsLeft) => void;
}

/** Queried instead of a malformed key id, so that every refusal costs the same query. */
const UNKNOWN_CREDENTIAL = '00000000-0000-0000-0000-000000000000' as CredentialId;

/**
 * Only a caller who knows the secret learns whether the credential is disabled or the address is not allowed. The secret is compared before
 * any limit applies, so other callers' wrong secrets cannot lock out the owner. Its 256 random bits cannot be guessed.
 */
@Injectable()
export class ExchangeToken {
  constructor(
    private readonly environment: KeyEnvironment,
    private readonly proofs: CredentialProofs,
    private readonly accessTokens: AccessTokens,
    private readonly attempts: ExchangeAttempts,
  ) {}

  /** @throws RateLimited, `credentials_invalid` and the other access refusals */
  async exchange({ apiKey, apiSecret, address, caller, counted }: TokenExchange): Promise<AccessToken> {
    const possible = isKeyIdOf(this.environment.name, apiKey);
    const keyId = possible ? apiKey : keyIdOf(this.environment.name, UNKNOWN_CREDENTIAL);
    const { credential, now } = await this.proofs.read(keyId);
    const matches = secretMatches(apiSecret, credential?.secretDigest ?? null);
    if (!matches || credential === null) {
      counted(await this.attempts.takeFailure(keyId, caller));
      throw refusals.credentialsInvalid();
    }
    counted(await this.attempts.takeToken(keyId, caller));
    if (!credential.enabled) throw refusals.credentialDisabled();
    if (!allowsAddress(credential.allowedAddresses, address)) throw refusals.addressNotAllowed();
    this.proofs.noteUse(credential.id, now);
    return this.accessTokens.issue(credential.id, now);
  }
}
