import { Module } from '@nestjs/common';
import { AuthorizationsModule, AuthorizationsWorkerModule } from './authorizations.module.js';
import { CheckoutModule, CheckoutWorkerModule } from './checkout.module.js';
import { ExplanationModule } from './explanation.module.js';
import { LinksModule, LinksWorkerModule } from './links.module.js';
import { ReceiptsModule, ReceiptsWorkerModule } from './receipts.module.js';
import { RequestsModule, RequestsWorkerModule } from './requests.module.js';
import { TillCodesModule } from './till-codes.module.js';
import { WatchingModule, WatchingWorkerModule } from './watching.module.js';

/** Every process has this part of payments. */
@Module({
  imports: [
    RequestsModule,
    WatchingModule,
    CheckoutModule,
    LinksModule,
    AuthorizationsModule,
    ReceiptsModule,
    TillCodesModule,
    ExplanationModule,
  ],
  exports: [RequestsModule, WatchingModule, CheckoutModule, AuthorizationsModule, ExplanationModule],
})
export class PaymentsModule {}

/** Only the worker has this part. */
@Module({
  imports: [
    PaymentsModule,
    RequestsWorkerModule,
    WatchingWorkerModule,
    CheckoutWorkerModule,
    LinksWorkerModule,
    AuthorizationsWorkerModule,
    ReceiptsWorkerModule,
  ],
})
export class PaymentsWorkerModule {}
