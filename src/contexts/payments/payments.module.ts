import { Module } from '@nestjs/common';
import { CheckoutModule, CheckoutWorkerModule } from './checkout.module.js';
import { ExplanationModule } from './explanation.module.js';
import { LinksModule, LinksWorkerModule } from './links.module.js';
import { RequestsModule, RequestsWorkerModule } from './requests.module.js';
import { WatchingModule, WatchingWorkerModule } from './watching.module.js';

/** What every process has of payments. */
@Module({
  imports: [RequestsModule, WatchingModule, CheckoutModule, LinksModule, ExplanationModule],
  exports: [RequestsModule, WatchingModule, CheckoutModule, ExplanationModule],
})
export class PaymentsModule {}

/** What the worker alone has. */
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
