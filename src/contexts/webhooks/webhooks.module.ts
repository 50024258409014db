import { Module } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { AttemptDelivery } from './application/delivery/attempt-delivery.js';
import { ChangeWebhookUrl } from './application/registration/change-webhook-url.js';
import { ValidateWebhookUrl, HostResolver } from './application/endpoints/validate-webhook-url.js';
import { PostToPublicUrl } from './application/delivery/post-to-public-url.js';
import { PublicHttpPost } from './contract/public-http-post.js';
import { RedeliveryLimiter } from './application/redelivery/redelivery-limiter.js';
import { RegisterWebhook } from './application/registration/register-webhook.js';
import { ReplayEvents } from './application/redelivery/replay-events.js';
import { ResendDelivery } from './application/redelivery/resend-delivery.js';
import {
  InactiveWebhookDeliveries,
  ChangeWebhookStatus,
} from './application/registration/change-webhook-status.js';
import { RotateSecret } from './application/registration/rotate-secret.js';
import { TestWebhook } from './application/delivery/test-webhook.js';
import { WebhookTransport } from './domain/delivery/attempt.js';
import { DnsHostResolver } from './infrastructure/endpoints/dns-host-resolver.js';
import { UndiciTransport } from './infrastructure/delivery/transport/undici-transport.js';
import { DeliveryLogController } from './infrastructure/delivery/dashboard/delivery-log.controller.js';
import { WebhookPages } from './infrastructure/delivery/dashboard/webhook-pages.js';
import { RedeliveryPagesController } from './infrastructure/redelivery/dashboard/redelivery-pages.controller.js';
import { WebhookSettingsController } from './infrastructure/registration/dashboard/webhook-settings.controller.js';
import { WebhooksController } from './infrastructure/registration/dashboard/webhooks.controller.js';
import { EventsController } from './infrastructure/events/http/events.controller.js';
import { RedeliveryController } from './infrastructure/redelivery/http/redelivery.controller.js';
import { WebhookController } from './infrastructure/registration/http/webhook.controller.js';
import { WebhookLogController } from './infrastructure/delivery/http/webhook-log.controller.js';
import { WebhookSecretController } from './infrastructure/registration/http/webhook-secret.controller.js';
import { WebhookQueries } from './infrastructure/registration/persistence/webhook-queries.js';
import { AttemptLog } from './infrastructure/delivery/persistence/attempt-log.js';
import { PruneDeliveries } from './infrastructure/delivery/persistence/prune-deliveries.js';
import {
  AesWebhookSecrets,
  ResealWebhookSecrets,
  WebhookSecretBox,
} from './infrastructure/registration/persistence/aes-webhook-secrets.js';
import { webhookAuditInvariants, webhooksInvariants } from './infrastructure/webhooks-invariants.js';
import { DeliveryQueue } from './infrastructure/delivery/persistence/delivery-queue.js';
import { Deliveries } from './infrastructure/delivery/persistence/deliveries.js';
import { MerchantEventQueries } from './infrastructure/events/persistence/merchant-event-queries.js';
import { MerchantEvents } from './infrastructure/events/persistence/merchant-events.js';
import { Redeliveries } from './infrastructure/redelivery/persistence/redeliveries.js';
import { PostgresInactiveWebhookDeliveries } from './infrastructure/delivery/persistence/postgres-inactive-webhook-deliveries.js';
import { Webhooks } from './infrastructure/registration/persistence/webhooks.js';
import { PostgresEventDestinations } from './infrastructure/destinations/postgres-event-destinations.js';
import { EventDestinationMetrics } from './infrastructure/destinations/event-destination-metrics.js';
import { EventDestinationWorkers } from './infrastructure/destinations/work/event-destination-workers.js';
import { WebhookHealth } from './infrastructure/delivery/persistence/webhook-health.js';
import { MerchantEventsSubscriber } from './infrastructure/delivery/merchant-events-subscriber.js';
import { DeliveryMetrics } from './infrastructure/delivery/delivery-metrics.js';
import { AttemptRecorder } from './infrastructure/delivery/work/attempt-recorder.js';
import {
  DeliveryPruning,
  InactiveWebhookDeliverySweeper,
} from './infrastructure/delivery/work/delivery-cleanup.js';
import { DeliveryWorker } from './infrastructure/delivery/work/delivery-worker.js';
import { WebhookStateCache } from './infrastructure/delivery/work/webhook-state-cache.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';

/** Requires `AccountDirectory`, `OneTimeSecretStore` and `WebhooksSettings` to be provided globally. */
@RegisterInvariants([...webhooksInvariants, ...webhookAuditInvariants])
@Module({
  controllers: [
    WebhookController,
    WebhookSecretController,
    WebhookLogController,
    RedeliveryController,
    EventsController,
    // Before the controllers with an id in the path, so that `new` is not parsed as one.
    WebhooksController,
    WebhookSettingsController,
    DeliveryLogController,
    RedeliveryPagesController,
  ],
  providers: [
    RegisterWebhook,
    ChangeWebhookUrl,
    ChangeWebhookStatus,
    RotateSecret,
    TestWebhook,
    ResendDelivery,
    ReplayEvents,
    Webhooks,
    WebhookQueries,
    WebhookPages,
    AesWebhookSecrets,
    WebhookSecretBox,
    ResealWebhookSecrets,
    { provide: HostResolver, useClass: DnsHostResolver },
    ValidateWebhookUrl,
    { provide: PublicHttpPost, useClass: PostToPublicUrl },
    { provide: WebhookTransport, useClass: UndiciTransport },
    AttemptDelivery,
    AttemptLog,
    Deliveries,
    WebhookHealth,
    PostgresInactiveWebhookDeliveries,
    { provide: InactiveWebhookDeliveries, useExisting: PostgresInactiveWebhookDeliveries },
    Redeliveries,
    RedeliveryLimiter,
    MerchantEvents,
    MerchantEventQueries,
    PostgresEventDestinations,
  ],
  exports: [
    AttemptDelivery,
    AttemptLog,
    Deliveries,
    PostgresInactiveWebhookDeliveries,
    MerchantEvents,
    PostgresEventDestinations,
    PublicHttpPost,
    WebhookHealth,
  ],
})
export class WebhooksModule {}

/** Requires `EventDestinationsSettings` to be provided globally. */
@Module({
  imports: [WebhooksModule],
  providers: [
    MerchantEventsSubscriber,
    DeliveryQueue,
    AttemptRecorder,
    WebhookStateCache,
    DeliveryWorker,
    InactiveWebhookDeliverySweeper,
    PruneDeliveries,
    DeliveryPruning,
    DeliveryMetrics,
    EventDestinationWorkers,
    EventDestinationMetrics,
  ],
})
export class WebhooksWorkerModule {
  constructor(subscribers: EventSubscribers, subscriber: MerchantEventsSubscriber) {
    subscribers.add(subscriber);
  }
}
