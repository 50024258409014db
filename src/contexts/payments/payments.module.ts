import { Module } from '@nestjs/common';
import { NetworksModule } from '../networks/networks.module.js';
import { PointOfSaleModule } from '../point-of-sale/point-of-sale.module.js';
import { Alerts } from './application/alerts.js';
import { CreatePaymentRequest } from './application/create-payment-request.js';
import { FailWithdrawnPaymentRequests } from './application/fail-withdrawn-payment-requests.js';
import { FollowChain } from './application/follow-chain.js';
import { PaymentRequestQueries } from './application/payment-request-queries.js';
import { PaymentTokens } from './application/payment-tokens.js';
import { PaymentWindow } from './application/payment-window.js';
import { PaymentRequests } from './domain/payment-requests.js';
import { WatchedChain } from './domain/watched-chain.js';
import { NetworkWatchers } from './infrastructure/chain/network-watchers.js';
import { NaspipKeysController } from './infrastructure/http/naspip-keys.controller.js';
import { PaymentRequestController } from './infrastructure/http/payment-request.controller.js';
import { LoggedAlerts } from './infrastructure/logged-alerts.js';
import { NaspipPaymentTokens } from './infrastructure/naspip/naspip-payment-tokens.js';
import { PaymentsSettings } from './infrastructure/payments-settings.js';
import { PostgresPaymentRequestQueries } from './infrastructure/persistence/postgres-payment-request-queries.js';
import { PostgresPaymentRequests } from './infrastructure/persistence/postgres-payment-requests.js';
import { PostgresWatchedChain } from './infrastructure/persistence/postgres-watched-chain.js';
import { WithdrawnAssets } from './infrastructure/work/withdrawn-assets.js';

@Module({
  imports: [NetworksModule, PointOfSaleModule],
  controllers: [PaymentRequestController, NaspipKeysController],
  providers: [
    CreatePaymentRequest,
    FailWithdrawnPaymentRequests,
    { provide: PaymentRequests, useClass: PostgresPaymentRequests },
    { provide: PaymentRequestQueries, useClass: PostgresPaymentRequestQueries },
    { provide: PaymentTokens, useClass: NaspipPaymentTokens },
    {
      provide: PaymentWindow,
      inject: [PaymentsSettings],
      useFactory: (settings: PaymentsSettings) => new PaymentWindow(settings.paymentWindowSeconds),
    },
  ],
  exports: [PaymentRequests, FailWithdrawnPaymentRequests],
})
export class PaymentsModule {}

/** Reads the networks and lets payment requests follow. */
@Module({
  imports: [PaymentsModule, NetworksModule],
  providers: [
    FollowChain,
    NetworkWatchers,
    WithdrawnAssets,
    { provide: WatchedChain, useClass: PostgresWatchedChain },
    { provide: Alerts, useClass: LoggedAlerts },
  ],
})
export class PaymentsWorkerModule {}
