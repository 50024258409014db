import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { AttemptLog } from './application/delivery/attempt-log.js';
import { AttemptDelivery } from './application/delivery/attempt-delivery.js';
import { ActivateWebhook } from './application/registration/activate-webhook.js';
import { ChangeWebhookUrl } from './application/registration/change-webhook-url.js';
import { DeactivateWebhook } from './application/registration/deactivate-webhook.js';
import { DeleteWebhook } from './application/registration/delete-webhook.js';
import { EndOverlap } from './application/registration/end-overlap.js';
import {
  EndInactiveDeliveries,
  InactiveDeliveries,
} from './application/registration/end-inactive-deliveries.js';
import { ListMerchantEvents } from './application/events/list-merchant-events.js';
import { DeliveryRetention, PruneDeliveries } from './application/delivery/prune-deliveries.js';
import { QueueDeliveries } from './application/delivery/queue-deliveries.js';
import { RecordMerchantEvents } from './application/events/record-merchant-events.js';
import { RedeliveryMutex } from './application/redelivery/redelivery-mutex.js';
import { RegisterWebhook, WebhookLimits } from './application/registration/register-webhook.js';
import { ReplayEvents } from './application/redelivery/replay-events.js';
import { ResendDelivery } from './application/redelivery/resend-delivery.js';
import { RotateSecret } from './application/registration/rotate-secret.js';
import { TestWebhook } from './application/delivery/test-webhook.js';
import { Deliveries } from './domain/delivery/deliveries.js';
import { EndedDeliveries } from './domain/delivery/ended-deliveries.js';
import { Endpoints } from './domain/endpoints/endpoints.js';
import { MerchantEvents } from './domain/events/merchant-events.js';
import { Redeliveries } from './domain/redelivery/redeliveries.js';
import { WebhookSecrets } from './domain/registration/webhook-secrets.js';
import { WebhookTransport } from './domain/delivery/webhook-transport.js';
import { Webhooks } from './domain/registration/webhooks.js';
import { GuardedEndpoints, HostResolver } from './infrastructure/endpoints/dns/guarded-endpoints.js';
import { DnsHostResolver } from './infrastructure/endpoints/dns/dns-host-resolver.js';
import { UndiciTransport } from './infrastructure/delivery/transport/undici-transport.js';
import { DeliveryLogController } from './infrastructure/delivery/dashboard/delivery-log.controller.js';
import { WebhookPageSender } from './infrastructure/delivery/dashboard/webhook-page-sender.js';
import { RedeliveryPagesController } from './infrastructure/redelivery/dashboard/redelivery-pages.controller.js';
import { WebhookSettingsController } from './infrastructure/registration/dashboard/webhook-settings.controller.js';
import { WebhooksController } from './infrastructure/registration/dashboard/webhooks.controller.js';
import { PostgresWebhookQueries } from './infrastructure/registration/persistence/postgres-webhook-queries.js';
import { WebhookQueries } from './application/registration/webhook-queries.js';
import { EventsController } from './infrastructure/events/http/events.controller.js';
import { RedeliveryController } from './infrastructure/redelivery/http/redelivery.controller.js';
import { WebhookController } from './infrastructure/registration/http/webhook.controller.js';
import { WebhookLogController } from './infrastructure/delivery/http/webhook-log.controller.js';
import { WebhookSecretController } from './infrastructure/registration/http/webhook-secret.controller.js';
import { DeliveryQueue } from './infrastructure/delivery/persistence/delivery-queue.js';
import { PostgresAttemptLog } from './infrastructure/delivery/persistence/postgres-attempt-log.js';
import { PostgresDeliveries } from './infrastructure/delivery/persistence/postgres-deliveries.js';
import { PostgresEndedDeliveries } from './infrastructure/delivery/persistence/postgres-ended-deliveries.js';
import { PostgresMerchantEvents } from './infrastructure/events/persistence/postgres-merchant-events.js';
import { PostgresRedeliveries } from './infrastructure/redelivery/persistence/postgres-redeliveries.js';
import { PostgresInactiveDeliveries } from './infrastructure/delivery/persistence/postgres-inactive-deliveries.js';
import { PostgresWebhooks } from './infrastructure/registration/persistence/postgres-webhooks.js';
import { WebhookHealth } from './infrastructure/delivery/persistence/webhook-health.js';
import { ResealWebhookSecrets } from './infrastructure/registration/secrets/reseal-webhook-secrets.js';
import { WebhookSecretBox } from './infrastructure/registration/secrets/webhook-secret-box.js';
import { AesWebhookSecrets } from './infrastructure/registration/secrets/aes-webhook-secrets.js';
import { MerchantEventsSubscriber } from './infrastructure/events/subscribers/merchant-events-subscriber.js';
import { WebhooksSubscriber } from './infrastructure/delivery/subscribers/webhooks-subscriber.js';
import { DeliveryMetrics } from './infrastructure/delivery/metrics/delivery-metrics.js';
import { AttemptRecorder } from './infrastructure/delivery/work/attempt-recorder.js';
import { WebhooksSettings } from './infrastructure/webhooks-settings.js';
import { DeliveryPruning } from './infrastructure/delivery/work/delivery-pruning.js';
import { DeliverySweeper } from './infrastructure/delivery/work/delivery-sweeper.js';
import { DeliveryWorker } from './infrastructure/delivery/work/delivery-worker.js';
import { WebhookStateCache } from './infrastructure/delivery/work/webhook-state-cache.js';
import { webhookAuditInvariants } from './infrastructure/persistence/webhook-audit-invariants.js';
import { webhooksInvariants } from './infrastructure/persistence/webhooks-invariants.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';

/** What merchants manage their webhooks by. Identity's `AccountDirectory` and `WebhooksSettings` must be provided globally. */
@Invariants([...webhooksInvariants, ...webhookAuditInvariants])
@Module({
  controllers: [
    WebhookController,
    WebhookSecretController,
    WebhookLogController,
    RedeliveryController,
    EventsController,
    // Before those of one webhook, so that `new` is not taken for an id.
    WebhooksController,
    WebhookSettingsController,
    DeliveryLogController,
    RedeliveryPagesController,
  ],
  providers: [
    RegisterWebhook,
    ChangeWebhookUrl,
    ActivateWebhook,
    DeactivateWebhook,
    DeleteWebhook,
    RotateSecret,
    EndOverlap,
    TestWebhook,
    ResendDelivery,
    ReplayEvents,
    ListMerchantEvents,
    { provide: Webhooks, useClass: PostgresWebhooks },
    { provide: WebhookQueries, useClass: PostgresWebhookQueries },
    WebhookPageSender,
    { provide: WebhookLimits, useExisting: WebhooksSettings },
    { provide: WebhookSecrets, useClass: AesWebhookSecrets },
    WebhookSecretBox,
    ResealWebhookSecrets,
    { provide: HostResolver, useClass: DnsHostResolver },
    { provide: Endpoints, useClass: GuardedEndpoints },
    { provide: WebhookTransport, useClass: UndiciTransport },
    AttemptDelivery,
    PostgresAttemptLog,
    { provide: AttemptLog, useExisting: PostgresAttemptLog },
    PostgresDeliveries,
    { provide: Deliveries, useExisting: PostgresDeliveries },
    WebhookHealth,
    { provide: InactiveDeliveries, useClass: PostgresInactiveDeliveries },
    EndInactiveDeliveries,
    { provide: Redeliveries, useClass: PostgresRedeliveries },
    RedeliveryMutex,
    { provide: MerchantEvents, useClass: PostgresMerchantEvents },
  ],
  exports: [
    AttemptDelivery,
    Deliveries,
    EndInactiveDeliveries,
    MerchantEvents,
    PostgresAttemptLog,
    PostgresDeliveries,
    InactiveDeliveries,
    WebhookHealth,
  ],
})
export class WebhooksModule {}

/** Records merchants' events, queues and sends deliveries. */
@Module({
  imports: [WebhooksModule],
  providers: [
    QueueDeliveries,
    WebhooksSubscriber,
    RecordMerchantEvents,
    MerchantEventsSubscriber,
    DeliveryQueue,
    AttemptRecorder,
    WebhookStateCache,
    DeliveryWorker,
    DeliverySweeper,
    { provide: EndedDeliveries, useClass: PostgresEndedDeliveries },
    { provide: DeliveryRetention, useExisting: WebhooksSettings },
    PruneDeliveries,
    DeliveryPruning,
    DeliveryMetrics,
  ],
})
export class WebhooksWorkerModule implements OnModuleInit {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriber: WebhooksSubscriber,
    private readonly events: MerchantEventsSubscriber,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this.subscriber);
    this.subscribers.add(this.events);
  }
}
