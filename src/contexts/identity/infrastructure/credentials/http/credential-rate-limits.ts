import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { WindowRateLimits, perMinuteRateLimit } from '#shared/platform/http/callers/window-rate-limits.js';
import { CallerRateLimits, CallerRateLimit } from '#shared/platform/http/callers/caller-rate-limits.js';
import { setRateLimitHeaders } from '#shared/platform/http/callers/rate-limit-headers.js';
import { IdentitySettings } from '../../identity-settings.js';

/** Each process counts separately. */
@Injectable()
export class CredentialRateLimits {
  private readonly rate: CallerRateLimit;
  private readonly creations: number;

  constructor(
    private readonly rates: CallerRateLimits,
    private readonly limits: WindowRateLimits,
    { limits: { requestsPerSecond, deviceCreationsPerMinute } }: IdentitySettings,
  ) {
    this.creations = deviceCreationsPerMinute;
    this.rate = new CallerRateLimit('credential', requestsPerSecond, requestsPerSecond);
  }

  requireRequestLeft(credential: CredentialId): void {
    this.rates.requireRemainingCall(rateKeyOf(credential), this.rate);
  }

  countRequest(credential: CredentialId, response: ServerResponse | undefined): void {
    setRateLimitHeaders(response, this.rate.headers(this.rates.require(rateKeyOf(credential), this.rate)));
  }

  /** A refused creation is not counted. @throws RateLimited */
  countPaymentRequestCreation(device: CredentialId): void {
    const wait = this.limits.countCall(`creations ${device}`, this.creations);
    if (wait > 0) throw new RateLimited(wait, perMinuteRateLimit('device-creation', this.creations));
  }
}

function rateKeyOf(credential: CredentialId): string {
  return `requests ${credential}`;
}
