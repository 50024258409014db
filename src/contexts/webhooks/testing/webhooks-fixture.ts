import { randomBytes } from 'node:crypto';
import { breachesOf } from '#test/support/broken-invariants.js';
import { MADE_UP_EVENTS, MADE_UP_SETTLEMENTS, MADE_UP_SUBSCRIPTIONS } from '#test/support/partial-worlds.js';
import type { TestPlatform } from '#test/support/open-database.js';
import { newId, type WebhookId } from '#shared/kernel/ids.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { readToEnd } from '#shared/platform/event-log/testing/log-settled.js';
import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { AttemptDelivery } from '../application/delivery/attempt-delivery.js';
import type { WebhookEventType } from '../domain/registration/webhook.js';
import { ValidateWebhookUrl } from '../application/endpoints/validate-webhook-url.js';
import type { MerchantEventSource } from '../application/events/notifications.js';
import { UndiciTransport } from '../infrastructure/delivery/transport/undici-transport.js';
import { DeliveryQueue } from '../infrastructure/delivery/persistence/delivery-queue.js';
import { AttemptLog } from '../infrastructure/delivery/persistence/attempt-log.js';
import { Deliveries } from '../infrastructure/delivery/persistence/deliveries.js';
import { MerchantEventQueries } from '../infrastructure/events/persistence/merchant-event-queries.js';
import { MerchantEvents } from '../infrastructure/events/persistence/merchant-events.js';
import { Redeliveries } from '../infrastructure/redelivery/persistence/redeliveries.js';
import { PostgresInactiveWebhookDeliveries } from '../infrastructure/delivery/persistence/postgres-inactive-webhook-deliveries.js';
import { Webhooks } from '../infrastructure/registration/persistence/webhooks.js';
import { WebhookHealth } from '../infrastructure/delivery/persistence/webhook-health.js';
import { webhooksInvariants } from '../infrastructure/webhooks-invariants.js';
import {
  AesWebhookSecrets,
  WebhookSecretBox,
} from '../infrastructure/registration/persistence/aes-webhook-secrets.js';
import { MerchantEventsSubscriber } from '../infrastructure/delivery/merchant-events-subscriber.js';
import { WebhooksSettings, type WebhooksOptions } from '../application/webhooks-settings.js';
import { AttemptRecorder } from '../infrastructure/delivery/work/attempt-recorder.js';
import { InactiveWebhookDeliverySweeper } from '../infrastructure/delivery/work/delivery-cleanup.js';
import { DeliveryWorker } from '../infrastructure/delivery/work/delivery-worker.js';
import { WebhookStateCache } from '../infrastructure/delivery/work/webhook-state-cache.js';
import type { Account } from './payment-events.js';
import { FixedHostResolver } from './fixed-host-resolver.js';

/** Wires the webhooks context on one database, on which any number of workers may run. */
export function webhooksFixture(platform: TestPlatform, options: Partial<WebhooksOptions> = {}) {
  const settings = new WebhooksSettings({
    secretKeys: [{ id: 'test', secret: randomBytes(32) }],
    allowLoopbackHttp: true,
    ...options,
  });
  const { database, scheduledJobs, eventLog } = platform;
  platform.makesUp([...MADE_UP_EVENTS, ...MADE_UP_SETTLEMENTS, ...MADE_UP_SUBSCRIPTIONS]);
  const resolver = new FixedHostResolver();
  const secrets = new AesWebhookSecrets(new WebhookSecretBox(settings));
  const webhooks = new Webhooks(database, new PostgresAuditLog(database));
  const attemptLog = new AttemptLog(database);
  const health = new WebhookHealth(database);
  const deliveries = new Deliveries(database, scheduledJobs, attemptLog, health);
  const queue = new DeliveryQueue(database, scheduledJobs, attemptLog, health);
  const merchantEvents = new MerchantEvents(database);
  const eventsRunner = () =>
    new SubscriberRunner(database, new MerchantEventsSubscriber(merchantEvents, deliveries));
  const runner = eventsRunner();
  const inactiveWebhookDeliveries = new PostgresInactiveWebhookDeliveries(
    database,
    scheduledJobs,
    attemptLog,
  );
  const validateWebhookUrl = new ValidateWebhookUrl(settings, resolver);

  return {
    resolver,
    queue,
    webhooks,
    deliveries,
    merchantEvents,
    merchantEventQueries: new MerchantEventQueries(database),
    redeliveries: new Redeliveries(database, scheduledJobs),
    /** Runs the subscriber that records merchant events, as one worker process does. */
    eventsRunner,

    async register(account: Account, url: string, eventType: WebhookEventType = 'payment_request') {
      const id = newId<WebhookId>();
      const { secret, sealed } = secrets.issue(id);
      await webhooks.add({ id, ...account, url, eventType }, sealed, 2 ** 31 - 1, { actor: 'test' });
      return { id, secret };
    },

    async deactivate(account: Account, id: WebhookId) {
      await webhooks.deactivate(account, id, { actor: 'test' });
      await inactiveWebhookDeliveries.failPending(id, 60_000);
    },

    async happen(...events: MerchantEventSource[]) {
      await database.run(() => eventLog.append(events));
      await runner.register();
      await readToEnd(database, runner);
    },

    /** @returns a started worker, and a function that stops it like the end of its process */
    startWorker() {
      const transport = new UndiciTransport(settings);
      const attempt = new AttemptDelivery(validateWebhookUrl, secrets, transport);
      const states = new WebhookStateCache(queue);
      const worker = new DeliveryWorker(
        queue,
        attempt,
        new AttemptRecorder(queue),
        states,
        settings,
        deliveries,
        database,
      );
      const sweeper = new InactiveWebhookDeliverySweeper(inactiveWebhookDeliveries);
      worker.onApplicationBootstrap();
      sweeper.onApplicationBootstrap();
      return {
        async stop() {
          await sweeper.beforeApplicationShutdown();
          await worker.beforeApplicationShutdown();
          await transport.onApplicationShutdown();
        },
      };
    },

    rows<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
      return database.query<Row>(sql, values);
    },

    broken: async () => Object.keys(await breachesOf(database, webhooksInvariants)),
  };
}
