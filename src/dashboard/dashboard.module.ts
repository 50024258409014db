import { Module } from '@nestjs/common';
import { NetworksModule } from '../contexts/networks/networks.module.js';
import { PaymentsModule } from '../contexts/payments/payments.module.js';
import { OverviewController } from './overview/overview.controller.js';

/** Pages that join several contexts. */
@Module({ imports: [NetworksModule, PaymentsModule], controllers: [OverviewController] })
export class DashboardModule {}
