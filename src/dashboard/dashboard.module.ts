import { Module } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PaymentsModule } from '#contexts/payments/payments.module.js';
import { OverviewController } from './overview/overview.controller.js';
import { OtherThings } from './search/other-things.js';
import { SearchController } from './search/search.controller.js';

@Module({
  imports: [NetworksModule, PaymentsModule],
  controllers: [OverviewController, SearchController],
  providers: [OtherThings],
})
export class DashboardModule {}
