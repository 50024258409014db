import { openTestDatabase } from '#test/support/open-database.js';
import { eventually } from '#test/support/eventually.js';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import { RedeliveryMutex } from '../application/redelivery/redelivery-mutex.js';
import type { ClaimedDelivery } from '../infrastructure/delivery/persistence/delivery-queue.js';
import { anAccount, statusChanged } from './payment-events.js';
import { webhooksFixture } from './webhooks-fixture.js';
import { startReceiver } from './receiver.js';

/** The statuses of a payment request, in their order. */
export const STEPS = ['processing', 'underpaid', 'completed'] as const;
/** Every event's time. */
export const ALL = { from: new Date(0), to: new Date('2999-01-01') };

interface DeliveryRow {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly status: string;
  readonly waitsFor: DeliveryId | null;
}

interface AttemptRow {
  readonly durationMs: number | null;
  readonly attempt: number;
  readonly status: string;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
}

/** The context on a database of its own, with a merchant's account and shop, for what is sent again. */
export async function redeliveryFixture() {
  const platform = await openTestDatabase();
  const fixture = webhooksFixture(platform);
  const shop = await startReceiver();
  const account = anAccount();
  const mutex = new RedeliveryMutex();
  const stops = [() => shop.close()];
  const deliveryRows = () =>
    fixture.rows<DeliveryRow>(
      'SELECT d.* FROM webhooks.deliveries d JOIN webhooks.events e ON e.id = d.event_id ORDER BY e.number',
    );

  return {
    ...fixture,
    ...{ platform, shop, account },

    /** It ends with the fixture. */
    startWorker(): void {
      const worker = fixture.startWorker();
      stops.push(() => worker.stop());
    },

    steps: (paymentRequestId?: string) =>
      STEPS.map((status) => statusChanged(account, { status }, paymentRequestId)),

    replay: (id: WebhookId, range = ALL, owner = account) =>
      mutex.replay(owner.organizationId, id, () =>
        platform.database.run(async () =>
          fixture.redeliveries.replay(await fixture.webhooks.find(owner, id), range),
        ),
      ),

    resend: (id: WebhookId, delivery: DeliveryId) =>
      mutex.resend(id, () =>
        platform.database.run(async () =>
          fixture.redeliveries.resend(await fixture.webhooks.find(account, id), delivery),
        ),
      ),

    /** Claims like a worker with room for ten. */
    claim: () => fixture.queue.claim(10, { of: new Map(), ofOthers: 10 }),

    /** Records an attempt that began at that time and was answered with 200. */
    acknowledge: ({ work, delivery }: ClaimedDelivery, startedAt = new Date()) =>
      fixture.queue.record([
        {
          work,
          attempt: {
            ...{ deliveryId: delivery.id, number: delivery.attemptsBefore + 1 },
            ...{ startedAt, durationMs: 1, httpStatus: 200, status: 'delivered' },
          },
        },
      ]),

    /** Does `first`, and commits it only once `second` waits for one of its locks, or has ended without. */
    async whileUncommitted(first: () => Promise<unknown>, second: () => Promise<unknown>): Promise<void> {
      let done = () => {};
      const written = new Promise<void>((resolve) => (done = resolve));
      let commit = () => {};
      const mayCommit = new Promise<void>((resolve) => (commit = resolve));
      const one = platform.database.run(async () => {
        await first();
        done();
        await mayCommit;
      });
      await Promise.race([written, one]);
      let over = false;
      const other = second().finally(() => (over = true));
      await eventually(async () => {
        const waiting = await fixture.rows(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return over || waiting.length > 0;
      }).finally(commit);
      await Promise.all([one, other]);
    },

    /** In the order of their events. */
    deliveryRows,
    allAre: async (status: string) => (await deliveryRows()).every((delivery) => delivery.status === status),
    log: () => fixture.rows<AttemptRow>('SELECT * FROM webhooks.delivery_attempts ORDER BY attempt'),
    /** Deliveries with due work. */
    queued: async () =>
      (await fixture.rows<{ key: string }>('SELECT key FROM platform.due_work')).map(({ key }) => key),

    async close(): Promise<void> {
      for (const stop of stops.reverse()) await stop();
      await platform.close();
    },
  };
}

export type RedeliveryFixture = Awaited<ReturnType<typeof redeliveryFixture>>;
