import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import compression from 'compression';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PaymentsModule } from '#contexts/payments/payments.module.js';
import { PointOfSaleModule } from '#contexts/point-of-sale/point-of-sale.module.js';
import { AcceptSubscription } from './application/accept-subscription.js';
import { AdvanceSubscriptions } from './application/advance-subscriptions.js';
import { CreateSubscription } from './application/create-subscription.js';
import { ApplyChargeRequestUpdates } from './application/apply-charge-request-updates.js';
import { OpenChargeRequest } from './application/open-charge-request.js';
import { OpenOwedCharge } from './application/open-owed-charge.js';
import { RevokeSubscription } from './application/revoke-subscription.js';
import { SubscriptionQueries } from './infrastructure/persistence/subscription-queries.js';
import { Subscriptions } from './domain/subscriptions.js';
import { chargeInvariants } from './infrastructure/persistence/charge-invariants.js';
import { subscriptionInvariants } from './infrastructure/persistence/subscription-invariants.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { SubscriptionsController } from './infrastructure/dashboard/subscriptions.controller.js';
import { SubscriptionController } from './infrastructure/http/subscription.controller.js';
import { WalletSubscriptionController } from './infrastructure/http/wallet-subscription.controller.js';
import { SubscriptionPageController } from './infrastructure/http/subscription-page.controller.js';
import { SubscriptionPageModels } from './infrastructure/http/subscription-page-models.js';
import { PostgresSubscriptions } from './infrastructure/persistence/postgres-subscriptions.js';
import { Wallets } from './infrastructure/persistence/wallets.js';
import { ChargeRequestsSubscriber } from './infrastructure/charge-requests-subscriber.js';
import { ChargeWorkers, DueChargeRequests } from './infrastructure/charge-workers.js';

@RegisterInvariants([...subscriptionInvariants, ...chargeInvariants])
@Module({
  imports: [NetworksModule, PaymentsModule, PointOfSaleModule],
  controllers: [
    SubscriptionController,
    WalletSubscriptionController,
    SubscriptionPageController,
    SubscriptionsController,
  ],
  providers: [
    CreateSubscription,
    AcceptSubscription,
    RevokeSubscription,
    OpenChargeRequest,
    OpenOwedCharge,
    SubscriptionPageModels,
    AdvanceSubscriptions,
    ApplyChargeRequestUpdates,
    { provide: Subscriptions, useClass: PostgresSubscriptions },
    Wallets,
    SubscriptionQueries,
  ],
  exports: [AdvanceSubscriptions, ApplyChargeRequestUpdates, OpenChargeRequest],
})
export class SubscriptionsModule implements NestModule {
  /** The pages contain caller input only for callers who know the page code, so their compressed size reveals nothing about it. */
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(compression()).forRoutes('subscription/*path');
  }
}

@Module({
  imports: [SubscriptionsModule],
  providers: [ChargeWorkers, DueChargeRequests, ChargeRequestsSubscriber],
})
export class SubscriptionsWorkerModule {
  constructor(subscribers: EventSubscribers, subscriber: ChargeRequestsSubscriber) {
    subscribers.add(subscriber);
  }
}
