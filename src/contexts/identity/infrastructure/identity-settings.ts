import type { RateLimitPolicy } from '#shared/kernel/rate-limits.js';
import type { ScheduledSigningKey, SigningKeyRing } from '#shared/kernel/signing-key-ring.js';
import type { KeyRingEntry } from '#shared/platform/setting-reader.js';
import type { ServiceEnvironment } from '../domain/credentials/credential.js';

/** Rate limits (docs/reference/limits.md, "Rates"). */
export interface AccessRateLimits {
  /** For one key from one IP address. Also the limit of failed exchanges from one IP address. */
  readonly exchangesPerMinute: number;
  readonly failuresPerMinute: number;
  /** Applies to one credential, except on routes with their own limit. */
  readonly requestsPerSecond: number;
  readonly deviceCreationsPerMinute: number;
}

const ACCESS_LIMITS: AccessRateLimits = {
  exchangesPerMinute: 60,
  failuresPerMinute: 10,
  requestsPerSecond: 100,
  deviceCreationsPerMinute: 30,
};

/** Guessing ten valid codes for a year then succeeds with 0.6%. */
const SHARED_PAIRINGS_PER_MINUTE = 1_000;

/** Other spellings of API keys, which clients of another service send. */
export interface ApiKeyCompatibility {
  /** A second name of the header `x-service-api-key`, in lower case. */
  readonly headerAlias?: string;
  /** Accepted in place of `svc.dev.`, `svc.stg.` or `svc.prd.`. */
  readonly prefixes: readonly string[];
}

export interface AccessTokenSigningKey extends KeyRingEntry, ScheduledSigningKey {}

export class IdentitySettings {
  constructor(
    readonly environment: ServiceEnvironment,
    /** A token names its key in the `kid` header. */
    readonly tokenKeys: SigningKeyRing<AccessTokenSigningKey>,
    readonly issuer: string,
    /** Each environment has its own audience. */
    readonly audience: string,
    readonly limits: AccessRateLimits = ACCESS_LIMITS,
    readonly tokenLifetimeSeconds: number = 3600,
    readonly apiKeys: ApiKeyCompatibility = { prefixes: [] },
  ) {
    const { allKeys } = tokenKeys;
    if (allKeys.length === 0) throw new Error('At least one key is required to sign tokens.');
    if (allKeys.some(({ secret }) => secret.length !== 32))
      throw new Error('A token key must be 256 bits long.');
    if (new Set(allKeys.map(({ id }) => id)).size !== allKeys.length) {
      throw new Error('Two token keys have the same kid.');
    }
  }

  get exchanges(): RateLimitPolicy {
    return { name: 'token', quota: this.limits.exchangesPerMinute, seconds: 60 };
  }

  get failedExchanges(): RateLimitPolicy {
    return { name: 'failed-token', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  get allFailedExchanges(): RateLimitPolicy {
    return { ...this.failedExchanges, quota: this.limits.exchangesPerMinute };
  }

  get failedPairings(): RateLimitPolicy {
    return { name: 'failed-pairing', quota: this.limits.failuresPerMinute, seconds: 60 };
  }

  /** Applies to IP addresses that are above their own limit. */
  get sharedPairings(): RateLimitPolicy {
    return { ...this.failedPairings, quota: SHARED_PAIRINGS_PER_MINUTE };
  }
}

export class SignInAndMailSettings {
  /** 256 bits. The first key encrypts; all keys decrypt. */
  readonly secretKeys: readonly KeyRingEntry[];
  /** Absent in development: the worker then prints mails to its log. */
  readonly smtpUrl: string | undefined;
  readonly mailFrom: string;

  constructor(settings: Pick<SignInAndMailSettings, 'secretKeys' | 'smtpUrl' | 'mailFrom'>) {
    this.secretKeys = settings.secretKeys;
    this.smtpUrl = settings.smtpUrl;
    this.mailFrom = settings.mailFrom;
  }
}
