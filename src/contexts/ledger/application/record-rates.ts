import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { Asset } from '#shared/kernel/asset.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { Quotes } from '#contexts/rates/contract/quotes.js';
import { RecordedRates } from '../infrastructure/persistence/recorded-rates.js';

export interface RateOutcome {
  readonly symbol: string;
  readonly currency: string;
  readonly isKnown: boolean;
}

@Injectable()
export class RecordRates {
  constructor(
    private readonly rates: RecordedRates,
    private readonly catalogue: NetworkCatalogue,
    private readonly quotes: Quotes,
    private readonly clock: Clock,
  ) {}

  /** Once an hour, for every symbol of the catalogue in every accounting currency. */
  async record(): Promise<RateOutcome[]> {
    const assets = new Map(this.catalogue.assets().map((asset) => [asset.symbol, asset]));
    const outcomes: RateOutcome[] = [];
    for (const { currency, recorded } of await this.rates.currencies())
      for (const asset of assets.values())
        if (!recorded.includes(asset.symbol))
          outcomes.push({ symbol: asset.symbol, currency, isKnown: await this.recordRate(asset, currency) });
    return outcomes;
  }

  private async recordRate(asset: Asset, currency: string): Promise<boolean> {
    try {
      const rate = await this.quotes.quote(asset, currency, await this.clock.now());
      if (rate !== null) await this.rates.record(asset.symbol, currency, rate);
      return true;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'rate_unavailable') throw error;
      return false;
    }
  }
}
