import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { median, quantile, shown, WebhookWorld, type RegisteredWebhook } from './webhook-world.js';

/** The long form is `npm run evidence -- webhook-neighbours`. */
const LONG = process.env['EVIDENCE'] === 'long';
const PAIRS = LONG ? 9 : 1;
const EVENTS = LONG ? 150 : 30;
/** Milliseconds between events: no divisor of any pause of the worker. */
const PACE_MS = 23;
const LATER_LANES = 20_000;

/** Two of everything, one without a neighbour, measured by turns. */
let calm: WebhookWorld;
let sick: WebhookWorld;
let calmShop: RegisteredWebhook;
let sickShop: RegisteredWebhook;

beforeAll(async () => {
  [calm, sick] = await Promise.all([WebhookWorld.open(), WebhookWorld.open()]);
  [calmShop, sickShop] = await Promise.all([calm.register('/hooks'), sick.register('/hooks')]);
}, 60_000);

afterEach(() => sick.platform.database.query('DELETE FROM platform.due_work'));

afterAll(async () => {
  // What waited was queued and taken away by hand.
  await Promise.all([
    calm?.close(),
    sick?.close(['deliveries-tell-of-events', 'pending-deliveries-are-scheduled']),
  ]);
}, 60_000);

/** From the commit of each event to the first byte at its receiver, in milliseconds. */
async function delays(world: WebhookWorld, shop: RegisteredWebhook): Promise<number[]> {
  await world.forget();
  const committed = new Map<string, number>();
  for (let n = 0; n < EVENTS; n += 1) {
    const { ids, at } = await world.happen(shop);
    committed.set(ids[0]!, at);
    await pause(PACE_MS);
  }
  await world.received(EVENTS);
  await world.recorded([shop]);
  const arrivals = await world.arrivals();
  expect(await world.amiss([shop])).toEqual([]);
  return [...committed].map(([request, at]) => arrivals.get(request)! - at);
}

/** Prints p99 and median with the neighbour and without it. @returns the medians' ratio, of the middle pair */
async function measure(neighbour: string): Promise<number> {
  const p99: number[] = [];
  const middle: number[] = [];
  const noise: number[] = [];
  const all: { without: number[]; beside: number[] } = { without: [], beside: [] };
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const first = await delays(calm, calmShop);
    const beside = [...(await delays(sick, sickShop)), ...(await delays(sick, sickShop))];
    const last = await delays(calm, calmShop);
    const without = [...first, ...last];
    p99.push(quantile(beside, 0.99) / quantile(without, 0.99));
    middle.push(median(beside) / median(without));
    noise.push(quantile(last, 0.99) / quantile(first, 0.99));
    all.without.push(...without);
    all.beside.push(...beside);
  }
  const both = (values: number[]) =>
    `median ${median(values).toFixed(1)}, p99 ${quantile(values, 0.99).toFixed(1)} ms`;
  process.stdout.write(
    `Commit of an event to first byte, beside ${neighbour}: ${both(all.beside)}; without: ${both(all.without)}. ` +
      `Ratio of p99 ${shown(p99)}, of medians ${shown(middle)}; without beside without, p99: ${shown(noise)}\n`,
  );
  expect(all.beside.every(Number.isFinite)).toBe(true);
  return median(middle);
}

// The goal is 1.2 for p99. Other tests share these cores, so the medians, and much more.
const SAFELY = 6;

describe('A receiver that is well is served', () => {
  it('as the other one, where both are alone', async () => {
    expect(await measure('nothing')).toBeLessThan(SAFELY);
  }, 200_000);

  it.each(LONG ? [10_000, 100_000] : [10_000])(
    'as without it, beside one that hangs and for which %d deliveries wait',
    async (waiting) => {
      await sick.queue(waiting, [await sick.register('/hang')]);
      await sick.analyze();

      expect(await measure(`one that hangs with ${waiting} waiting`)).toBeLessThan(SAFELY);
    },
    200_000,
  );

  it('as without them, beside 50 that hang', async () => {
    const hanging: RegisteredWebhook[] = [];
    for (let n = 0; n < 50; n += 1) hanging.push(await sick.register(`/hang/${n}`));
    await sick.queue(5_000, hanging);
    await sick.analyze();

    expect(await measure('50 that hang with 100 waiting each')).toBeLessThan(SAFELY);
  }, 200_000);

  it('as without them, beside 20,000 whose time has not come', async () => {
    await sick.platform.database.query(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT 'webhook_delivery', gen_random_uuid(), gen_random_uuid(), now() + interval '1 day'
       FROM generate_series(1, $1)`,
      [LATER_LANES],
    );
    await sick.analyze();

    // It used to be fifty times as long: a claim looked at a part of the lanes only.
    expect(await measure('20,000 whose time has not come')).toBeLessThan(SAFELY);
  }, 200_000);
});
