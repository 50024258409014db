import { Module } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { ChangeSavedFilters } from './application/explanation/change-saved-filters.js';
import { ExplainPaymentRequest } from './application/explanation/explain-payment-request.js';
import { ExplainTransaction } from './application/explanation/explain-transaction.js';
import { PaymentFinder } from './contract/payment-finder.js';
import { DashboardPaymentsController } from './infrastructure/explanation/dashboard/dashboard-payments.controller.js';
import { ExplanationController } from './infrastructure/explanation/http/explanation.controller.js';
import { PostgresPaymentFinder } from './infrastructure/explanation/persistence/postgres-payment-finder.js';
import { SavedFilters } from './infrastructure/explanation/persistence/saved-filters.js';
import { RequestsModule } from './requests.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { ExplanationQueries } from './infrastructure/explanation/persistence/explanation-queries.js';

@Module({
  imports: [NetworksModule, PointOfSaleModule, RequestsModule],
  controllers: [ExplanationController, DashboardPaymentsController],
  providers: [
    ChangeSavedFilters,
    SavedFilters,
    ExplainPaymentRequest,
    ExplainTransaction,
    { provide: PaymentFinder, useClass: PostgresPaymentFinder },
    ExplanationQueries,
  ],
  exports: [PaymentFinder],
})
export class ExplanationModule {}
