import type { RatePolicy } from '#shared/kernel/rate-limits.js';
import type { ScheduledKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { RingKey } from '#shared/platform/setting-reader.js';
import type { ServiceEnvironment } from '../domain/credentials/credential.js';

/** See docs/reference/limits.md, "Rates". */
export interface AccessLimits {
  /** Tokens per minute for one key from one address. Also failed exchanges per minute from one address. */
  readonly exchangesPerMinute: number;
  /** Failed exchanges per minute of one key from one address. */
  readonly failuresPerMinute: number;
  /** Requests per second of one credential, except on routes with a separate limit. */
  readonly requestsPerSecond: number;
  readonly deviceCreationsPerMinute: number;
}

const ACCESS_LIMITS: AccessLimits = {
  exchangesPerMinute: 60,
  failuresPerMinute: 10,
  requestsPerSecond: 100,
  deviceCreationsPerMinute: 30,
};

/**
 * At this limit per minute, guessing for a year finds a code with a probability of 0.6%, if ten of the 31^8 codes are valid at any time.
 */
const PAIRINGS_BEYOND = 1_000;

export interface TokenKey extends RingKey, ScheduledKey {}

export class IdentitySettings {
  constructor(
    readonly environment: ServiceEnvironment,
    /** A token's header names its key in `kid`. */
    readonly tokenKeys: SigningKeyRing<TokenKey>,
    /** `iss` claim of tokens. */
    readonly issuer: string,
    /** `aud` claim of tokens. Different in each environment. */
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

  /** Tokens for one key from one address. */
  get exchanges(): RatePolicy {
    return { name: 'token', quota: this.limits.exchangesPerMinute, seconds: 60 };
  }

  /** Failed exchanges of one key from one address. */
  get failedExchanges(): RatePolicy {
    return { name: 'failed-token', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** Failed exchanges from one address, for all keys. */
  get allFailedExchanges(): RatePolicy {
    return { ...this.failedExchanges, quota: this.limits.exchangesPerMinute };
  }

  /** Failed pairings from one address. */
  get failedPairings(): RatePolicy {
    return { name: 'failed-pairing', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** Pairing attempts above the limits of their addresses, across all addresses. */
  get pairingsBeyond(): RatePolicy {
    return { ...this.failedPairings, quota: PAIRINGS_BEYOND };
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
