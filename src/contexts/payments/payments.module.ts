import { Module } from '@nestjs/common';
import { CheckoutModule, CheckoutWorkerModule } from './checkout.module.js';
import { ExplanationModule } from './explanation.module.js';
import { LinksModule, LinksWorkerModule } from './links.module.js';
import { RequestsModule, RequestsWorkerModule } from './requests.module.js';
import { WatchingModule, WatchingWorkerModule } from './watching.module.js';

/** Every process has this part of payments. */
@Module({
  imports: [RequestsModule, WatchingModule, CheckoutModule, LinksModule, ExplanationModule],
  exports: [RequestsModule, WatchingModule, CheckoutModule, ExplanationModule],
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
  ],
})
export class PaymentsWorkerModule {}
