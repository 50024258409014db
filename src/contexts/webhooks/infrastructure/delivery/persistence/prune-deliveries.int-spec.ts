import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type DeliveryId, type WebhookId } from '#shared/kernel/ids.js';
import { WebhooksSettings } from '#contexts/webhooks/application/webhooks-settings.js';
import { deliveryFixture, type DeliveryFixture } from '#contexts/webhooks/testing/delivery-fixture.js';
import type { ClaimedDelivery } from './delivery-queue.js';
import { PruneDeliveries, type FinalAttemptCursor } from './prune-deliveries.js';

const AGE_DAYS = 90;
const DAY = 86_400;

let fixture: DeliveryFixture;
let webhook: WebhookId;
let prune: PruneDeliveries;
beforeEach(async () => {
  fixture = await deliveryFixture();
  const settings = new WebhooksSettings({
    secretKeys: [],
    allowLoopbackHttp: true,
    deliveryRetentionDays: AGE_DAYS,
  });
  prune = new PruneDeliveries(fixture.platform.database, settings);
  webhook = (await fixture.register(fixture.account, fixture.shop.url)).id;
});
afterEach(() => fixture.close());

/** Records the events of one payment request, and delivers and acknowledges each of them. */
async function deliverAll(): Promise<DeliveryId[]> {
  const known = await left();
  await happenAll();
  await acknowledgeAll();
  return (await left()).filter((id) => !known.includes(id));
}

async function happenAll(): Promise<void> {
  const occurredAt = await fixture.platform.clock.now();
  await fixture.happen(...fixture.steps(newId()).map((step) => ({ ...step, occurredAt })));
}

/** @returns the claimed deliveries, in the order in which they were acknowledged */
async function acknowledgeAll(): Promise<ClaimedDelivery[]> {
  const acknowledged: ClaimedDelivery[] = [];
  for (;;) {
    const { claimed } = await fixture.claim();
    if (claimed.length === 0) return acknowledged;
    for (const each of claimed) await fixture.acknowledge(each, await fixture.platform.clock.now());
    acknowledged.push(...claimed);
  }
}

const step = (limit: number, after?: FinalAttemptCursor) => prune.prune(after, limit);
const left = async () => (await fixture.deliveryRows()).map(({ id }) => id);
const days = (count: number) => fixture.platform.advance(count * DAY);
const logLength = async () =>
  (await fixture.rows<{ attempts: number }>('SELECT attempts FROM webhooks.attempt_totals')).map(
    ({ attempts }) => attempts,
  );

describe('The pruning of deliveries', () => {
  it('removes deliveries whose last attempt is old enough, with their log', async () => {
    const old = await deliverAll();
    await days(AGE_DAYS - 1);
    const young = await deliverAll();

    await step(10);
    const before = await left();
    await days(1);
    await step(10);

    expect(before).toEqual([...old, ...young]);
    expect(await left()).toEqual(young);
    expect([(await fixture.log()).length, await logLength()]).toEqual([3, [3]]);
    expect(await fixture.broken()).toEqual([]);
  });

  it('proceeds in steps, each from the end of the previous one', async () => {
    await deliverAll();
    await deliverAll();
    await days(AGE_DAYS + 1);

    const first = await step(4);
    const afterFirst = await left();
    const second = await step(4, first);

    expect(first).toBeDefined();
    expect([afterFirst.length, second, await left()]).toEqual([2, undefined, []]);
    expect([await logLength(), await fixture.broken()]).toEqual([[0], []]);
  });

  it('keeps a delivery that was sent again, with all attempts, until the last attempt is old', async () => {
    await happenAll();
    // The delivery that was acknowledged first, which has the oldest attempt.
    const again = (await acknowledgeAll())[0]!.delivery.id;
    await days(AGE_DAYS - 1);
    await fixture.resend(webhook, again);
    await acknowledgeAll();
    await days(2);

    const passed = await step(1);
    const afterOne = await left();
    await step(10, passed);
    const resent = [await left(), (await fixture.log()).length];
    await days(AGE_DAYS);
    await step(10);

    expect(afterOne).toHaveLength(3);
    expect(resent).toEqual([[again], 2]);
    expect([await left(), await fixture.log()]).toEqual([[], []]);
    expect(await fixture.broken()).toEqual([]);
  });

  it('keeps a delivery that waits to be sent', async () => {
    const [again] = await deliverAll();
    await days(AGE_DAYS + 1);
    await fixture.resend(webhook, again!);

    await step(10);

    expect([await left(), await fixture.queued()]).toEqual([[again], [again]]);
  });

  it('keeps deliveries that an uncommitted replay has queued', async () => {
    const all = await deliverAll();
    await days(AGE_DAYS + 1);

    await fixture.whileUncommitted(
      () => fixture.replay(webhook),
      () => step(10),
    );

    expect(await left()).toEqual(all);
    expect((await acknowledgeAll()).map(({ delivery }) => delivery.id)).toEqual(all);
  });

  it('lets a concurrent replay create the removed deliveries again', async () => {
    const delivered = await deliverAll();
    const events = (await fixture.rows<{ id: string }>('SELECT id FROM webhooks.events ORDER BY number')).map(
      ({ id }) => id,
    );
    await days(AGE_DAYS + 1);

    await fixture.whileUncommitted(
      () => step(10),
      () => fixture.replay(webhook),
    );

    expect((await left()).filter((id) => delivered.includes(id))).toEqual([]);
    // The replayed deliveries keep the message ids that receivers already know.
    expect((await acknowledgeAll()).map(({ delivery }) => delivery.messageId)).toEqual(events);
    expect(await fixture.broken()).toEqual([]);
  });

  it('is rejected by the database within a week, as is any change of an attempt', async () => {
    await deliverAll();
    await days(6);

    await expect(fixture.rows('DELETE FROM webhooks.delivery_attempts')).rejects.toThrow(
      'pruned after 7 days at the earliest',
    );
    await days(AGE_DAYS);
    await expect(fixture.rows(`UPDATE webhooks.delivery_attempts SET attempt = 2`)).rejects.toThrow(
      'append-only',
    );
    await expect(fixture.rows('TRUNCATE webhooks.delivery_attempts')).rejects.toThrow('append-only');
  });
});
