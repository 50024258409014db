import { openTestDatabase } from '#test/support/open-database.js';
import { startReceiver } from './receiver.js';
import { webhooksFixture } from './webhooks-fixture.js';

interface AttemptRow {
  readonly attempt: number;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly nextAttemptAt: Date | null;
}

export type DeliveryWorkerFixture = Awaited<ReturnType<typeof deliveryWorkerFixture>>;

/** The context on a database of its own, with a shop that receives deliveries, for what workers make of them. */
export async function deliveryWorkerFixture() {
  const platform = await openTestDatabase();
  const fixture = webhooksFixture(platform, { deliveryConcurrency: 64 });
  const shop = await startReceiver();
  const stops = [() => shop.close()];
  const statuses = async () =>
    (await fixture.rows<{ status: string }>('SELECT status FROM webhooks.deliveries')).map(
      ({ status }) => status,
    );

  return {
    ...fixture,
    ...{ platform, shop, statuses },

    /** Calls it when the fixture is closed, before what was started earlier ends. */
    stopAtEnd: (stop: () => Promise<void>) => void stops.push(stop),

    startWorker() {
      const worker = fixture.startWorker();
      stops.push(() => worker.stop());
      return worker;
    },

    /** All claims lapse so many seconds from now. */
    claimsLapse: (seconds: number) =>
      fixture.rows(
        `UPDATE platform.due_work SET claimed_until = clock_timestamp() + make_interval(secs => $1)
         WHERE claim IS NOT NULL`,
        [seconds],
      ),

    attempts: () =>
      fixture.rows<AttemptRow>('SELECT * FROM webhooks.delivery_attempts ORDER BY created_at, attempt'),

    /** True where there are deliveries and none is pending. */
    async ended(): Promise<boolean> {
      const all = await statuses();
      return all.length > 0 && !all.includes('pending');
    },

    /** @throws Error where an invariant is broken */
    async close(): Promise<void> {
      for (const stop of stops.reverse()) await stop();
      const broken = await fixture.broken();
      await platform.close();
      if (broken.length > 0) throw new Error(`Broken: ${broken.join(', ')}.`);
    },
  };
}
