import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module.js';
import { ExplainPaymentRequest } from './application/explanation/explain-payment-request.js';
import { ExplainTransaction } from './application/explanation/explain-transaction.js';
import { ExplanationQueries } from './application/explanation/explanation-queries.js';
import { ExplanationController } from './infrastructure/explanation/http/explanation.controller.js';
import { PostgresExplanationQueries } from './infrastructure/explanation/persistence/postgres-explanation-queries.js';

/** Where a payment is, for people who ask. */
@Module({
  imports: [NetworksModule],
  controllers: [ExplanationController],
  providers: [
    ExplainPaymentRequest,
    ExplainTransaction,
    { provide: ExplanationQueries, useClass: PostgresExplanationQueries },
  ],
})
export class ExplanationModule {}
