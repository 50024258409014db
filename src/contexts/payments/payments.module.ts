import { Module } from '@nestjs/common';
import {
  ChainWatchingModule,
  ChainWatchingWorkerModule,
} from '#contexts/chain-watching/chain-watching.module.js';
import { AuditModule, AuditWorkerModule } from './audit.module.js';
import { AuthorizationsModule, AuthorizationsWorkerModule } from './authorizations.module.js';
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
    AuditModule,
    CheckoutModule,
    LinksModule,
    AuthorizationsModule,
    ReceiptsModule,
    TillCodesModule,
    ExplanationModule,
  ],
  exports: [RequestsModule, ChainWatchingModule, CheckoutModule, AuthorizationsModule, ExplanationModule],
})
export class PaymentsModule {}

@Module({
  imports: [
    PaymentsModule,
    RequestsWorkerModule,
    ChainWatchingWorkerModule.for(EvaluationWorkerModule),
    AuditWorkerModule,
    CheckoutWorkerModule,
    LinksWorkerModule,
    AuthorizationsWorkerModule,
    ReceiptsWorkerModule,
  ],
})
export class PaymentsWorkerModule {}
