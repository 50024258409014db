import { Module } from '@nestjs/common';
import {
  ChainWatchingModule,
  ChainWatchingWorkerModule,
} from '#contexts/chain-watching/chain-watching.module.js';
import { ChainAuditModule, ChainAuditWorkerModule } from './chain-audit.module.js';
import { TransferAuthorizationsModule, TransferAuthorizationsWorkerModule } from './authorizations.module.js';
import { CheckoutModule, CheckoutWorkerModule } from './checkout.module.js';
import { ExplanationModule } from './explanation.module.js';
import { LinksModule, LinksWorkerModule } from './links.module.js';
import { ReceiptsModule, ReceiptsWorkerModule } from './receipts.module.js';
import { RequestsModule, RequestsWorkerModule } from './requests.module.js';
import { TillCodesModule } from './till-codes.module.js';
import { EvaluationModule, EvaluationWorkerModule } from './evaluation.module.js';

@Module({
  imports: [
    RequestsModule,
    ChainWatchingModule,
    EvaluationModule,
    ChainAuditModule,
    CheckoutModule,
    LinksModule,
    TransferAuthorizationsModule,
    ReceiptsModule,
    TillCodesModule,
    ExplanationModule,
  ],
  exports: [
    RequestsModule,
    ChainWatchingModule,
    CheckoutModule,
    TransferAuthorizationsModule,
    ExplanationModule,
  ],
})
export class PaymentsModule {}

@Module({
  imports: [
    PaymentsModule,
    RequestsWorkerModule,
    ChainWatchingWorkerModule.for(EvaluationWorkerModule),
    ChainAuditWorkerModule,
    CheckoutWorkerModule,
    LinksWorkerModule,
    TransferAuthorizationsWorkerModule,
    ReceiptsWorkerModule,
  ],
})
export class PaymentsWorkerModule {}
