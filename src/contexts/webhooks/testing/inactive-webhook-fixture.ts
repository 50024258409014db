import { randomBytes } from 'node:crypto';
import { openTestDatabase } from '#test/support/open-database.js';
import { statusChanged } from './payment-events.js';
import { webhooksFixture } from './webhooks-fixture.js';
import { deliverMarker } from './deliver-marker.js';
import { startReceiver } from './receiver.js';
import { startWebhookApi } from './webhook-api.js';

const DAY = 86_400;

/** The entry that says that nothing was sent. */
export const INACTIVE = {
  status: 'failed',
  error: 'webhook_inactive',
  httpStatus: null,
  durationMs: null,
  nextAttemptAt: null,
};

/** The context and its API on one database, with a webhook that a shop hears of, for what comes of stopping it. */
export async function inactiveWebhookFixture() {
  const secretKeys = [{ id: 'test', secret: randomBytes(32) }];
  const platform = await openTestDatabase();
  const api = await startWebhookApi(platform, { secretKeys });
  const fixture = webhooksFixture(platform, { secretKeys });
  const shop = await startReceiver();
  const stops = [() => shop.close()];
  const { id } = await api.register(shop.url);
  const statuses = async () =>
    (
      await fixture.rows<{ status: string }>(
        'SELECT DISTINCT status FROM webhooks.deliveries ORDER BY status',
      )
    ).map(({ status }) => status);

  return {
    ...fixture,
    ...{ platform, api, shop, id },

    /** It ends with the fixture, if not before. */
    startWorker() {
      const worker = fixture.startWorker();
      stops.push(() => worker.stop());
      return worker;
    },

    /** Events of payment requests of the webhook's account. */
    events: (count: number) => Array.from({ length: count }, () => statusChanged(api.home)),

    log: () =>
      fixture.rows<Record<string, unknown>>(
        'SELECT * FROM webhooks.delivery_attempts ORDER BY created_at, delivery_id, attempt',
      ),

    /** True where something ended only when its next attempt was due. */
    waitedForTheNextAttempt: async () =>
      (
        await fixture.rows(
          `SELECT FROM webhooks.delivery_attempts before JOIN webhooks.delivery_attempts a USING (delivery_id)
           WHERE a.attempt = before.attempt + 1 AND a.created_at >= before.next_attempt_at`,
        )
      ).length > 0,

    /** The statuses of deliveries, each once. */
    statuses,
    ended: async () => !(await statuses()).includes('pending'),

    /** Claims lapse as those of a worker that has died. */
    lapseClaims: () =>
      fixture.rows(`UPDATE platform.due_work SET claimed_until = clock_timestamp() - interval '1 second'`),

    /** Nothing comes of the queue any more, not even days later. @returns what the shop has been sent in all */
    async requestsInTheEnd(): Promise<number> {
      const left = await fixture.rows('SELECT FROM platform.due_work');
      if (left.length > 0) throw new Error(`${left.length} deliveries are still queued.`);
      await platform.advance(3 * DAY);
      await deliverMarker(fixture);
      return shop.requests.length;
    },

    async close(): Promise<void> {
      for (const stop of stops.reverse()) await stop();
      await api.close();
      await platform.close();
    },
  };
}

export type InactiveWebhookFixture = Awaited<ReturnType<typeof inactiveWebhookFixture>>;
