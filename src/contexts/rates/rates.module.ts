import { Module } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { QuoteAssets } from './application/quote-assets.js';
import { ExchangeRates } from './contract/exchange-rates.js';
import { PriceCurrencies } from './contract/price-currencies.js';
import { Quotes } from './contract/quotes.js';
import { listPriceCurrencies } from './domain/peg-rule.js';
import { RatesSettings } from './infrastructure/rates-settings.js';
import { rateSources } from './infrastructure/tickers/public-tickers.js';
import { CachedExchangeRates } from './infrastructure/tickers/cached-exchange-rates.js';

@Module({
  imports: [NetworksModule],
  providers: [
    { provide: Quotes, useClass: QuoteAssets },
    {
      provide: ExchangeRates,
      inject: [RatesSettings, Clock],
      useFactory: (settings: RatesSettings, clock: Clock) =>
        new CachedExchangeRates(rateSources(settings), settings, clock),
    },
    {
      provide: PriceCurrencies,
      inject: [NetworkCatalogue, RatesSettings],
      useFactory: (catalogue: NetworkCatalogue, { sources }: RatesSettings): PriceCurrencies => ({
        codes: () => listPriceCurrencies(catalogue.assets(), sources.length > 0),
      }),
    },
  ],
  exports: [Quotes, ExchangeRates, PriceCurrencies],
})
export class RatesModule {}
