import { Module } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { QuoteAssets } from './application/quote-assets.js';
import { ExchangeRates } from './contract/exchange-rates.js';
import { Quotes } from './contract/quotes.js';
import { RatesSettings } from './infrastructure/rates-settings.js';
import { rateSources } from './infrastructure/tickers/public-tickers.js';
import { RememberedExchangeRates } from './infrastructure/tickers/remembered-exchange-rates.js';

@Module({
  imports: [NetworksModule],
  providers: [
    { provide: Quotes, useClass: QuoteAssets },
    {
      provide: ExchangeRates,
      inject: [RatesSettings, Clock],
      useFactory: (settings: RatesSettings, clock: Clock) =>
        new RememberedExchangeRates(rateSources(settings), settings, clock),
    },
  ],
  exports: [Quotes, ExchangeRates],
})
export class RatesModule {}
