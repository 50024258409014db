import { openTestDatabase } from '#test/support/open-database.js';
import { eventually } from '#test/support/eventually.js';
import type { DeliveryId, WebhookId } from '#shared/kernel/ids.js';
import { RedeliveryLimiter } from '../application/redelivery/redelivery-limiter.js';
import type { WebhooksOptions } from '../application/webhooks-settings.js';
import type { ClaimedDelivery } from '../infrastructure/delivery/persistence/delivery-queue.js';
import { newAccount, statusChanged } from './payment-events.js';
import { webhooksFixture } from './webhooks-fixture.js';
import { startReceiver } from './receiver.js';

export const STATUS_STEPS = ['processing', 'underpaid', 'completed'] as const;
export const ALL_TIME = { from: new Date(0), to: new Date('2999-01-01') };
/** Log entry of a delivery that ended without a request because its webhook was inactive. */
export const INACTIVE_LOG_ENTRY = {
  ...{ status: 'failed', error: 'webhook_inactive', httpStatus: null, durationMs: null, nextAttemptAt: null },
};

interface DeliveryRow {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly status: string;
  readonly waitsFor: DeliveryId | null;
}

interface AttemptRow {
  readonly attempt: number;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number | null;
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
}

/** Starts the webhooks context on a separate database, with an account and an endpoint of a merchant. */
export async function deliveryFixture(options: Partial<WebhooksOptions> = {}) {
  const platform = await openTestDatabase();
  const fixture = webhooksFixture(platform, options);
  const shop = await startReceiver();
  const account = newAccount();
  const limiter = new RedeliveryLimiter();
  const stops: (() => Promise<unknown>)[] = [() => shop.close()];
  const deliveryRows = () =>
    fixture.rows<DeliveryRow>(
      'SELECT d.* FROM webhooks.deliveries d JOIN platform.events e ON e.id = d.event_id ORDER BY e.transaction_id, e.position, d.id',
    );
  const statuses = async () => (await deliveryRows()).map(({ status }) => status);
  return {
    ...fixture,
    ...{ platform, shop, account, deliveryRows, statuses },
    /** Registers a function that runs when the fixture is closed, in reverse order of registration. */
    stopAtEnd: (stop: () => Promise<unknown>) => void stops.push(stop),
    startWorker() {
      const worker = fixture.startWorker();
      stops.push(() => worker.stop());
      return worker;
    },
    steps: (paymentRequestId?: string) =>
      STATUS_STEPS.map((status) => statusChanged(account, { status }, paymentRequestId)),
    replay: (id: WebhookId, range = ALL_TIME, owner = account) =>
      limiter.replay(owner.organizationId, id, () =>
        platform.database.run(async () =>
          fixture.redeliveries.replay(await fixture.webhooks.find(owner, id), range),
        ),
      ),
    resend: (id: WebhookId, delivery: DeliveryId) =>
      limiter.resend(id, () =>
        platform.database.run(async () =>
          fixture.redeliveries.resend(await fixture.webhooks.find(account, id), delivery),
        ),
      ),
    claim: (limit = 10) => fixture.queue.claim(limit, { of: new Map(), ofOthers: limit }),
    claimsLapse: (seconds: number) =>
      fixture.rows(
        `UPDATE platform.due_work SET claimed_until = clock_timestamp() + make_interval(secs => $1)
         WHERE claim IS NOT NULL`,
        [seconds],
      ),
    acknowledge: ({ work, delivery }: ClaimedDelivery, startedAt = new Date()) =>
      fixture.queue.recordAttempts([
        {
          work,
          attempt: {
            ...{ deliveryId: delivery.id, number: delivery.attemptsBefore + 1 },
            ...{ startedAt, durationMs: 1, httpStatus: 200, status: 'delivered' },
          },
        },
      ]),
    /** Runs `first` and commits it only when `second` waits for one of its locks or has ended. */
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
    allAre: async (status: string) => (await statuses()).every((each) => each === status),
    async ended(): Promise<boolean> {
      const all = await statuses();
      return all.length > 0 && !all.includes('pending');
    },
    log: () =>
      fixture.rows<AttemptRow>(
        'SELECT * FROM webhooks.delivery_attempts ORDER BY attempt, created_at, delivery_id',
      ),
    queued: async () =>
      (await fixture.rows<{ key: string }>('SELECT key FROM platform.due_work')).map(({ key }) => key),
    /** Delivers an event of another account, after which every delivery due earlier has been claimed. */
    async deliverMarker(): Promise<void> {
      const other = newAccount();
      const elsewhere = await startReceiver();
      const { id: marker } = await fixture.register(other, elsewhere.url);
      await fixture.happen(statusChanged(other));
      // Waits until the attempt is recorded. Otherwise its claim could expire, and it would be sent again to a closed
      // receiver.
      await eventually(async () =>
        (await deliveryRows()).some((row) => row.webhookId === marker && row.status === 'delivered'),
      ).finally(() => elsewhere.close());
    },
    async close(): Promise<void> {
      for (const stop of stops.reverse()) await stop();
      await platform.close();
    },
  };
}
export type DeliveryFixture = Awaited<ReturnType<typeof deliveryFixture>>;
