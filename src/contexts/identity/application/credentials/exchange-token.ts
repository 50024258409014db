import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import type { Caller, RatePolicy } from '#shared/kernel/rate-limits.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { isKeyIdOf, keyIdOf, KeyEnvironment } from '../../domain/credentials/credential.js';
import { refusals } from '../../domain/credentials/access-refusals.js';
import { CredentialProofs } from './prove-access.js';
import { secretMatches } from '../secret.js';

/** The rest of a minute's attempts. */
export interface AttemptsLeft {
  readonly policy: RatePolicy;
  readonly left: number;
  /** Whole seconds until the full number is available again. */
  readonly seconds: number;
}

/** Counts token exchanges and pairings exactly over all replicas, in minutes that begin with a first attempt. */
export abstract class ExchangeAttempts {
  /** Counts a token for this key from this caller. @throws RateLimited; a refused one is not counted */
  abstract takeToken(keyId: string, caller: Caller): Promise<AttemptsLeft>;
  /** Counts a wrong secret, for the key and the caller together and for the caller. @throws RateLimited beyond either limit */
  abstract takeFailure(keyId: string, caller: Caller): Promise<AttemptsLeft>;
  /** Counts an attempt of this caller to pair a device. @throws RateLimited; a refused attempt is not counted */
  abstract takePairing(caller: Caller): Promise<void>;
  /** Counts an attempt beyond a caller's limit, over all callers. @throws RateLimited */
  abstract takePairingBeyond(): Promise<void>;
  /** The attempt has succeeded: only failed ones count. Never throws, since the secret is answered once. */
  abstract givePairingBack(caller: Caller): Promise<void>;
}

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export abstract class AccessTokens {
  /** @param now the time of the database's clock, which every lifetime is counted by */
  abstract issue(credential: CredentialId, now: Date): Promise<AccessToken>;
}

export interface TokenExchange {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Canonical address of the caller. */
  readonly address: string;
  readonly caller: Caller;
  /** Called with what is left of the limit that the attempt counts for. */
  readonly counted: (left: AttemptsLeft) => void;
}

/** Is read in place of text that cannot be a key id here, so that every refusal costs the same query. */
const NOBODY = '00000000-0000-0000-0000-000000000000' as CredentialId;

/**
 * Exchanges key id and secret for a bearer token. Only a caller who knows the secret learns more than "not valid": whether
 * the credential is disabled, and whether the address is allowed, are answered after it. The secret is compared before any
 * limit applies, so that nobody's wrong secrets refuse the right one; its 256 bits cannot be guessed.
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
    const keyId = possible ? apiKey : keyIdOf(this.environment.name, NOBODY);
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
