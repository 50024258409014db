import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { KeyOfRing } from '#shared/platform/setting-reader.js';
import type { ServiceEnvironment } from '../domain/credentials/credential.js';

/** How often tokens and the API are asked for (docs/reference/limits.md, "Rates"). */
export interface AccessLimits {
  /** Tokens for one key from one address in a minute, and failed exchanges of one address. */
  readonly exchangesPerMinute: number;
  /** Failed exchanges of one key from one address in a minute. */
  readonly failuresPerMinute: number;
  /** Requests of one credential in a second, except those with a rate of their own. */
  readonly requestsPerSecond: number;
  /** Payment requests that a device may ask for in a minute. */
  readonly deviceCreationsPerMinute: number;
}

const ACCESS_LIMITS: AccessLimits = {
  exchangesPerMinute: 60,
  failuresPerMinute: 10,
  requestsPerSecond: 100,
  deviceCreationsPerMinute: 30,
};

/**
 * A year of as many guesses a minute, with ten of the 31^8 codes valid at any time, finds one with a probability of 0.6%.
 */
const PAIRINGS_BEYOND = 1_000;

export interface TokenKey extends KeyOfRing, ScheduledKey {}

export class IdentitySettings {
  constructor(
    readonly environment: ServiceEnvironment,
    /** A token's header names its key (`kid`). */
    readonly tokenKeys: SigningKeyRing<TokenKey>,
    /** `iss` of tokens. */
    readonly issuer: string,
    /** `aud` of tokens; another for each environment. */
    readonly audience: string,
    readonly limits: AccessLimits = ACCESS_LIMITS,
    readonly tokenLifetimeSeconds: number = 3600,
  ) {
    const { all } = tokenKeys;
    if (all.length === 0) throw new Error('At least one key is required to sign tokens.');
    if (all.some(({ secret }) => secret.length !== 32)) throw new Error('A token key must be 256 bits long.');
    if (new Set(all.map(({ id }) => id)).size !== all.length) {
      throw new Error('Two token keys have the same kid.');
    }
  }

  /** The limit of tokens for one key from one address, as the rate fields name it. */
  get exchanges(): RatePolicy {
    return { name: 'token', quota: this.limits.exchangesPerMinute, seconds: 60 };
  }

  /** The limit of failed exchanges of one key from one address. */
  get failedExchanges(): RatePolicy {
    return { name: 'failed-token', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** The limit of failed exchanges of one address, whatever the key. */
  get allFailedExchanges(): RatePolicy {
    return { ...this.failedExchanges, quota: this.limits.exchangesPerMinute };
  }

  /** The limit of failed pairings of one address: as many as of failed exchanges. */
  get failedPairings(): RatePolicy {
    return { name: 'failed-pairing', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** The limit of attempts to pair beyond those of their addresses, over all addresses. */
  get pairingsBeyond(): RatePolicy {
    return { ...this.failedPairings, quota: PAIRINGS_BEYOND };
  }
}

export class PeopleSettings {
  /** 256 bits each. The first encrypts secrets of authenticator apps; all of them decrypt. */
  readonly secretKeys: readonly KeyOfRing[];
  /** The address of the mail server. Absent in development: mails are printed in the worker's log. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;

  constructor(settings: Pick<PeopleSettings, 'secretKeys' | 'smtpUrl' | 'mailFrom'>) {
    this.secretKeys = settings.secretKeys;
    this.smtpUrl = settings.smtpUrl;
    this.mailFrom = settings.mailFrom;
  }
}
