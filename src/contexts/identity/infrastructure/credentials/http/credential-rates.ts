import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { RateLimited } from '#shared/kernel/domain-error.js';
import { CallerLimits, perMinutePolicy } from '#shared/platform/http/callers/caller-limits.js';
import { CallerRates, CallerRate } from '#shared/platform/http/callers/caller-rates.js';
import { setRateFields } from '#shared/platform/http/callers/rate-fields.js';
import { IdentitySettings } from '../../identity-settings.js';

/** Each process counts separately. */
@Injectable()
export class CredentialRates {
  private readonly rate: CallerRate;
  private readonly creations: number;

  constructor(
    private readonly rates: CallerRates,
    private readonly limits: CallerLimits,
    { limits: { requestsPerSecond, deviceCreationsPerMinute } }: IdentitySettings,
  ) {
    this.creations = deviceCreationsPerMinute;
    this.rate = new CallerRate('credential', requestsPerSecond, requestsPerSecond);
  }

  requireRequestLeft(credential: CredentialId): void {
    this.rates.requireRemainder(rateKeyOf(credential), this.rate);
  }

  countRequest(credential: CredentialId, response: ServerResponse | undefined): void {
    setRateFields(response, this.rate.fields(this.rates.require(rateKeyOf(credential), this.rate)));
  }

  /** A refused creation is not counted. @throws RateLimited */
  countCreation(device: CredentialId): void {
    const wait = this.limits.countCall(`creations ${device}`, this.creations);
    if (wait > 0) throw new RateLimited(wait, perMinutePolicy('device-creation', this.creations));
  }
}

function rateKeyOf(credential: CredentialId): string {
  return `requests ${credential}`;
}
