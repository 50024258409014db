import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '../../shared/platform/event-log/event-subscribers.js';
import { AttemptLog } from './application/attempt-log.js';
import { AttemptDelivery } from './application/attempt-delivery.js';
import { NotifyOfPaymentRequests } from './application/notify-of-payment-requests.js';
import { RegisterWebhook } from './application/register-webhook.js';
import { Deliveries } from './domain/deliveries.js';
import { Endpoints } from './domain/endpoints.js';
import { WebhookSecrets } from './domain/webhook-secrets.js';
import { WebhookTransport } from './domain/webhook-transport.js';
import { Webhooks } from './domain/webhooks.js';
import { GuardedEndpoints } from './infrastructure/delivery/guarded-endpoints.js';
import { HostResolver } from './infrastructure/delivery/host-resolver.js';
import { DnsHostResolver } from './infrastructure/delivery/dns-host-resolver.js';
import { UndiciTransport } from './infrastructure/delivery/undici-transport.js';
import { WebhookController } from './infrastructure/http/webhook.controller.js';
import { DeliveryQueue } from './infrastructure/persistence/delivery-queue.js';
import { PostgresAttemptLog } from './infrastructure/persistence/postgres-attempt-log.js';
import { PostgresDeliveries } from './infrastructure/persistence/postgres-deliveries.js';
import { PostgresWebhooks } from './infrastructure/persistence/postgres-webhooks.js';
import { WebhookHealth } from './infrastructure/persistence/webhook-health.js';
import { AesWebhookSecrets } from './infrastructure/secrets/aes-webhook-secrets.js';
import { WebhooksSubscriber } from './infrastructure/subscribers/webhooks-subscriber.js';
import { AttemptRecorder } from './infrastructure/work/attempt-recorder.js';
import { DeliveryWorker } from './infrastructure/work/delivery-worker.js';

/** What merchants manage their webhooks by. Identity's `AccountDirectory` and `WebhooksSettings` must be provided globally. */
@Module({
  controllers: [WebhookController],
  providers: [
    RegisterWebhook,
    { provide: Webhooks, useClass: PostgresWebhooks },
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
  ],
  exports: [AttemptDelivery, Deliveries, PostgresAttemptLog, PostgresDeliveries, WebhookHealth],
})
export class WebhooksModule {}

/** Queues and sends deliveries. */
@Module({
  imports: [WebhooksModule],
  providers: [
    NotifyOfPaymentRequests,
    WebhooksSubscriber,
    DeliveryQueue,
    AttemptRecorder,
    DeliveryWorker,
  ],
})
export class WebhooksWorkerModule implements OnModuleInit {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriber: WebhooksSubscriber,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this.subscriber);
  }
}
