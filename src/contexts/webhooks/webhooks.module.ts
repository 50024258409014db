import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '../../shared/platform/event-log/event-subscribers.js';
import { AttemptLog } from './application/attempt-log.js';
import { AttemptDelivery } from './application/attempt-delivery.js';
import { ActivateWebhook } from './application/activate-webhook.js';
import { ChangeWebhookUrl } from './application/change-webhook-url.js';
import { DeactivateWebhook } from './application/deactivate-webhook.js';
import { DeleteWebhook } from './application/delete-webhook.js';
import { EndOverlap } from './application/end-overlap.js';
import { EndUnwanted } from './application/end-unwanted.js';
import { ListAttempts } from './application/list-attempts.js';
import { ListEvents } from './application/list-events.js';
import { ListWebhooks } from './application/list-webhooks.js';
import { NotifyOfPaymentRequests } from './application/notify-of-payment-requests.js';
import { RecordEvents } from './application/record-events.js';
import { RedeliveryTurns } from './application/redelivery-turns.js';
import { RegisterWebhook } from './application/register-webhook.js';
import { ReplayEvents } from './application/replay-events.js';
import { ResendDelivery } from './application/resend-delivery.js';
import { RotateSecret } from './application/rotate-secret.js';
import { TestPace } from './application/test-pace.js';
import { TestWebhook } from './application/test-webhook.js';
import { Deliveries } from './domain/deliveries.js';
import { Endpoints } from './domain/endpoints.js';
import { MerchantEvents } from './domain/merchant-events.js';
import { Redeliveries } from './domain/redeliveries.js';
import { UnwantedDeliveries } from './domain/unwanted-deliveries.js';
import { WebhookLimits } from './domain/webhook-limits.js';
import { WebhookSecrets } from './domain/webhook-secrets.js';
import { WebhookTransport } from './domain/webhook-transport.js';
import { Webhooks } from './domain/webhooks.js';
import { GuardedEndpoints } from './infrastructure/delivery/guarded-endpoints.js';
import { HostResolver } from './infrastructure/delivery/host-resolver.js';
import { DnsHostResolver } from './infrastructure/delivery/dns-host-resolver.js';
import { UndiciTransport } from './infrastructure/delivery/undici-transport.js';
import { EventsController } from './infrastructure/http/events.controller.js';
import { RedeliveryController } from './infrastructure/http/redelivery.controller.js';
import { CountedTestPace } from './infrastructure/http/counted-test-pace.js';
import { WebhookController } from './infrastructure/http/webhook.controller.js';
import { WebhookLogController } from './infrastructure/http/webhook-log.controller.js';
import { WebhookSecretController } from './infrastructure/http/webhook-secret.controller.js';
import { DeliveryQueue } from './infrastructure/persistence/delivery-queue.js';
import { PostgresAttemptLog } from './infrastructure/persistence/postgres-attempt-log.js';
import { PostgresDeliveries } from './infrastructure/persistence/postgres-deliveries.js';
import { PostgresMerchantEvents } from './infrastructure/persistence/postgres-merchant-events.js';
import { PostgresRedeliveries } from './infrastructure/persistence/postgres-redeliveries.js';
import { PostgresUnwantedDeliveries } from './infrastructure/persistence/postgres-unwanted-deliveries.js';
import { PostgresWebhooks } from './infrastructure/persistence/postgres-webhooks.js';
import { WebhookHealth } from './infrastructure/persistence/webhook-health.js';
import { AesWebhookSecrets } from './infrastructure/secrets/aes-webhook-secrets.js';
import { MerchantEventsSubscriber } from './infrastructure/subscribers/merchant-events-subscriber.js';
import { WebhooksSubscriber } from './infrastructure/subscribers/webhooks-subscriber.js';
import { AttemptRecorder } from './infrastructure/work/attempt-recorder.js';
import { WebhooksSettings } from './infrastructure/webhooks-settings.js';
import { DeliverySweeper } from './infrastructure/work/delivery-sweeper.js';
import { DeliveryWorker } from './infrastructure/work/delivery-worker.js';
import { WebhookStates } from './infrastructure/work/webhook-states.js';

/** What merchants manage their webhooks by. Identity's `AccountDirectory` and `WebhooksSettings` must be provided globally. */
@Module({
  controllers: [
    WebhookController,
    WebhookSecretController,
    WebhookLogController,
    RedeliveryController,
    EventsController,
  ],
  providers: [
    RegisterWebhook,
    ListWebhooks,
    ChangeWebhookUrl,
    ActivateWebhook,
    DeactivateWebhook,
    DeleteWebhook,
    RotateSecret,
    EndOverlap,
    TestWebhook,
    { provide: TestPace, useClass: CountedTestPace },
    ListAttempts,
    ResendDelivery,
    ReplayEvents,
    ListEvents,
    { provide: Webhooks, useClass: PostgresWebhooks },
    { provide: WebhookLimits, useExisting: WebhooksSettings },
    { provide: WebhookSecrets, useClass: AesWebhookSecrets },
    { provide: HostResolver, useClass: DnsHostResolver },
    { provide: Endpoints, useClass: GuardedEndpoints },
    { provide: WebhookTransport, useClass: UndiciTransport },
    AttemptDelivery,
    PostgresAttemptLog,
    { provide: AttemptLog, useExisting: PostgresAttemptLog },
    PostgresDeliveries,
    { provide: Deliveries, useExisting: PostgresDeliveries },
    WebhookHealth,
    { provide: UnwantedDeliveries, useClass: PostgresUnwantedDeliveries },
    EndUnwanted,
    { provide: Redeliveries, useClass: PostgresRedeliveries },
    RedeliveryTurns,
    { provide: MerchantEvents, useClass: PostgresMerchantEvents },
  ],
  exports: [
    AttemptDelivery,
    Deliveries,
    EndUnwanted,
    MerchantEvents,
    PostgresAttemptLog,
    PostgresDeliveries,
    UnwantedDeliveries,
    WebhookHealth,
  ],
})
export class WebhooksModule {}

/** Records merchants' events, queues and sends deliveries. */
@Module({
  imports: [WebhooksModule],
  providers: [
    NotifyOfPaymentRequests,
    WebhooksSubscriber,
    RecordEvents,
    MerchantEventsSubscriber,
    DeliveryQueue,
    AttemptRecorder,
    WebhookStates,
    DeliveryWorker,
    DeliverySweeper,
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
