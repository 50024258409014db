import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { RingKey } from '#shared/platform/setting-reader.js';
import type { ServiceEnvironment } from '../domain/credentials/credential.js';

/** Rate limits of the API (docs/reference/limits.md, "Rates"). */
export interface AccessLimits {
  /**
   * Token exchanges per minute for one key from one IP address. Also failed exchanges per minute from one IP address.
   */
  readonly exchangesPerMinute: number;
  /** Failed exchanges per minute for one key from one IP address. */
  readonly failuresPerMinute: number;
  /** Requests per second of one credential, except on routes with their own limit. */
  readonly requestsPerSecond: number;
  readonly deviceCreationsPerMinute: number;
}

const ACCESS_LIMITS: AccessLimits = {
  exchangesPerMinute: 60,
  failuresPerMinute: 10,
  requestsPerSecond: 100,
  deviceCreationsPerMinute: 30,
};

/** Pairing attempts per minute across all callers. Guessing ten valid codes for a year then succeeds with 0.6%. */
const SHARED_PAIRINGS_PER_MINUTE = 1_000;

export interface TokenKey extends RingKey, ScheduledKey {}

export class IdentitySettings {
  constructor(
    readonly environment: ServiceEnvironment,
    /** Keys that sign and verify access tokens. A token names its key in the `kid` header. */
    readonly tokenKeys: SigningKeyRing<TokenKey>,
    /** `iss` claim of access tokens. */
    readonly issuer: string,
    /** `aud` claim of access tokens. Each environment has its own. */
    readonly audience: string,
    readonly limits: AccessLimits = ACCESS_LIMITS,
    readonly tokenLifetimeSeconds: number = 3600,
  ) {
    const { allKeys } = tokenKeys;
    if (allKeys.length === 0) throw new Error('At least one key is required to sign tokens.');
    if (allKeys.some(({ secret }) => secret.length !== 32))
      throw new Error('A token key must be 256 bits long.');
    if (new Set(allKeys.map(({ id }) => id)).size !== allKeys.length) {
      throw new Error('Two token keys have the same kid.');
    }
  }

  /** Limits token exchanges for one key from one IP address. */
  get exchanges(): RatePolicy {
    return { name: 'token', quota: this.limits.exchangesPerMinute, seconds: 60 };
  }

  /** Limits failed token exchanges for one key from one IP address. */
  get failedExchanges(): RatePolicy {
    return { name: 'failed-token', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** Limits failed token exchanges from one IP address, across all keys. */
  get allFailedExchanges(): RatePolicy {
    return { ...this.failedExchanges, quota: this.limits.exchangesPerMinute };
  }

  /** Limits failed pairings from one IP address. */
  get failedPairings(): RatePolicy {
    return { name: 'failed-pairing', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** Limits the pairing attempts of all IP addresses that are above their own limit. */
  get sharedPairings(): RatePolicy {
    return { ...this.failedPairings, quota: SHARED_PAIRINGS_PER_MINUTE };
  }
}

export class PeopleSettings {
  /** Keys of 256 bits. The first key encrypts authenticator secrets; all keys can decrypt them. */
  readonly secretKeys: readonly RingKey[];
  /** URL of the mail server. Absent in development: the worker then prints mails to its log. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;

  constructor(settings: Pick<PeopleSettings, 'secretKeys' | 'smtpUrl' | 'mailFrom'>) {
    this.secretKeys = settings.secretKeys;
    this.smtpUrl = settings.smtpUrl;
    this.mailFrom = settings.mailFrom;
  }
}
