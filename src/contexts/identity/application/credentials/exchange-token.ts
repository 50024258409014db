import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { CredentialId } from '#shared/kernel/ids.js';
import { allowsAddress } from '../../domain/credentials/allowed-ip-ranges.js';
import { isKeyIdOf, keyIdOf, KeyEnvironment } from '../../domain/credentials/key-id.js';
import { refusals } from '../../domain/credentials/access-refusals.js';
import { CredentialProofs } from './prove-access.js';
import { secretMatches } from '../secret.js';

/** The rest of a minute's attempts. */
export interface AttemptsLeft {
  readonly left: number;
  /** Whole seconds until the full number is available again. */
  readonly seconds: number;
}

/** Counts token exchanges and pairings exactly over all replicas, in minutes that begin with a first attempt. */
export abstract class ExchangeAttempts {
  /**
   * Counts an attempt of this address; one statement.
   * @param address a caller's range: an IPv4 address, or the /64 of an IPv6 one
   * @throws RateLimited; a refused attempt is not counted
   */
  abstract take(address: string): Promise<AttemptsLeft>;
  /** Counts nothing. @throws RateLimited where this address has no failed attempt with this key left */
  abstract demandFailureLeft(keyId: string, address: string): Promise<void>;
  /** Counts a failed attempt with this key from this address. @throws RateLimited where other attempts have used up the limit meanwhile */
  abstract takeFailure(keyId: string, address: string): Promise<void>;
  /** Counts a try of this address to pair a device. @throws RateLimited; a refused try is not counted */
  abstract takePairing(address: string): Promise<void>;
  /** The try has succeeded: only failed ones count. Never throws, since the secret is answered once. */
  abstract givePairingBack(address: string): Promise<void>;
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
  apiKey: string;
  apiSecret: string;
  /** Canonical address of the caller. */
  address: string;
  /** The key that the caller's attempts are counted by. */
  caller: string;
}

/** Is read in place of text that cannot be a key id here, so that every refusal costs the same query. */
const NOBODY = '00000000-0000-0000-0000-000000000000' as CredentialId;

/**
 * Exchanges key id and secret for a bearer token. Only a caller who knows the secret learns more than "not valid": whether
 * the credential is disabled, and whether the address is allowed, are answered after it.
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
  async execute({ apiKey, apiSecret, address, caller }: TokenExchange): Promise<AccessToken> {
    const possible = isKeyIdOf(this.environment.name, apiKey);
    const keyId = possible ? apiKey : keyIdOf(this.environment.name, NOBODY);
    // Also for the right secret: a caller without attempts left must not learn whether a secret is right.
    await this.attempts.demandFailureLeft(keyId, caller);
    try {
      return await this.exchange(keyId, apiSecret, address);
    } catch (error) {
      // Counted by key and address together: key ids are no secret, and nobody may lock a merchant out by one.
      if (error instanceof DomainError) await this.attempts.takeFailure(keyId, caller);
      throw error;
    }
  }

  private async exchange(keyId: string, apiSecret: string, address: string): Promise<AccessToken> {
    const { credential, now } = await this.proofs.read(keyId);
    const matches = secretMatches(apiSecret, credential?.secretDigest ?? null);
    if (!matches || credential === null) throw refusals.credentialsInvalid();
    if (!credential.enabled) throw refusals.credentialDisabled();
    if (!allowsAddress(credential.allowedAddresses, address)) throw refusals.addressNotAllowed();
    this.proofs.noteUse(credential.id, now);
    return this.accessTokens.issue(credential.id, now);
  }
}
