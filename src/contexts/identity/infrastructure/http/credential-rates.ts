import { Injectable } from '@nestjs/common';
import type { CredentialId } from '../../../../shared/kernel/ids.js';
import { CallerRates, type Rate } from '../../../../shared/platform/http/callers/caller-rates.js';
import { IdentitySettings } from '../identity-settings.js';

/** How many requests a credential may make in a second, counted by this process alone. */
@Injectable()
export class CredentialRates {
  private readonly rate: Rate;

  constructor(
    private readonly rates: CallerRates,
    { limits }: IdentitySettings,
  ) {
    this.rate = { perSecond: limits.requestsPerSecond, burst: limits.requestsPerSecond };
  }

  /** @throws RateLimited; takes none */
  demandLeft(credential: CredentialId): void {
    this.rates.demandLeft(keyOf(credential), this.rate);
  }

  /** @throws RateLimited */
  take(credential: CredentialId): void {
    this.rates.require(keyOf(credential), this.rate);
  }
}

function keyOf(credential: CredentialId): string {
  return `requests ${credential}`;
}
