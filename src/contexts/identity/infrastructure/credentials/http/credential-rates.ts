import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { CredentialId } from '#shared/kernel/ids.js';
import { CallerRates, Rate } from '#shared/platform/http/callers/caller-rates.js';
import { setRateFields } from '#shared/platform/http/callers/rate-fields.js';
import { IdentitySettings } from '../../identity-settings.js';

/** How many requests a credential may make in a second, counted by this process alone. */
@Injectable()
export class CredentialRates {
  private readonly rate: Rate;

  constructor(
    private readonly rates: CallerRates,
    { limits }: IdentitySettings,
  ) {
    this.rate = new Rate('credential', limits.requestsPerSecond, limits.requestsPerSecond);
  }

  /** @throws RateLimited; takes none */
  demandLeft(credential: CredentialId): void {
    this.rates.demandLeft(keyOf(credential), this.rate);
  }

  /** Takes one, and sends the number left in the answer's headers. @throws RateLimited */
  take(credential: CredentialId, response: ServerResponse | undefined): void {
    setRateFields(response, this.rate.fields(this.rates.require(keyOf(credential), this.rate)));
  }
}

function keyOf(credential: CredentialId): string {
  return `requests ${credential}`;
}
