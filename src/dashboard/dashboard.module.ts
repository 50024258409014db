import { Module } from '@nestjs/common';
import { AnalyticsModule } from '#contexts/analytics/analytics.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PaymentsModule } from '#contexts/payments/payments.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { OverviewController } from './overview/overview.controller.js';
import { OverviewQueries } from './overview/overview-queries.js';
import { NonPaymentSearch } from './search/non-payment-search.js';
import { SearchController } from './search/search.controller.js';

@Module({
  imports: [AnalyticsModule, NetworksModule, PaymentsModule, RatesModule],
  controllers: [OverviewController, SearchController],
  providers: [NonPaymentSearch, OverviewQueries],
})
export class DashboardModule {}
