import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId } from '../../../../../shared/kernel/ids.js';
import { eventually } from '../../../testing/webhooks-fixture.js';
import { redeliveryBench, STEPS, type RedeliveryBench } from '../../../testing/redelivery-fixture.js';

let bench: RedeliveryBench;
/** Of two payment requests, in the order of their events; of each the first is queued and two wait. */
let forgotten: DeliveryId[];
let remembered: DeliveryId[];

beforeEach(async () => {
  bench = await redeliveryBench();
  const [one, two] = [newId<string>(), newId<string>()];
  await bench.happen(...bench.steps(one), ...bench.steps(two));
  const { id } = await bench.register(bench.account, bench.shop.url);
  await bench.replay(id);
  const ids = (await bench.deliveryRows()).map((delivery) => delivery.id);
  forgotten = ids.slice(0, STEPS.length);
  remembered = ids.slice(STEPS.length);
  await endAsAnEarlierRelease(forgotten[0]!);
});
afterEach(() => bench.close());

/** Which knows of no followers. */
const endAsAnEarlierRelease = (delivery: DeliveryId) =>
  bench.rows(
    `WITH over AS (DELETE FROM platform.due_work WHERE key = $1),
     ended AS (UPDATE webhooks.deliveries SET status = 'delivered' WHERE id = $1)
     INSERT INTO webhooks.delivery_attempts (id, organization_id, account_id, delivery_id, webhook_id, event_type,
       payment_request_id, attempt, status, http_status, duration_ms, created_at)
     SELECT gen_random_uuid(), organization_id, account_id, id, webhook_id, event_type, payment_request_id, 1,
       'delivered', 200, 1, platform.now() FROM webhooks.deliveries WHERE id = $1`,
    [delivery],
  );
const waiting = async () =>
  (await bench.deliveryRows()).filter(({ waits_for }) => waits_for !== null).map(({ id }) => id);

describe('What waits for a delivery that an earlier release has ended', () => {
  it('is queued, and nothing else is', async () => {
    expect(await bench.queued()).toEqual([remembered[0]]);

    await bench.queue.releaseForgotten();
    await bench.queue.releaseForgotten();

    expect((await bench.queued()).sort()).toEqual([forgotten[1]!, remembered[0]!].sort());
    expect(await waiting()).toEqual([forgotten[2], remembered[1], remembered[2]]);
    expect(await bench.broken()).toEqual([]);
  });

  it('is delivered by a worker, and what follows it as well', async () => {
    bench.startWorker();

    await eventually(() => bench.allAre('delivered'));

    expect(bench.shop.requests).toHaveLength(5);
  });
});
