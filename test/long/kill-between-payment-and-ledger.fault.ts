import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KillableSandbox } from '#test/faults/killable-sandbox.js';
import { MerchantReceiver } from '#test/faults/merchant-receiver.js';
import { MOMENTS, WEBHOOK_ON_THE_WAY, type Moment, type World } from '#test/faults/moments.js';
import { MANNERS, promised, Shop, until, type Manner, type Order } from '#test/faults/orders.js';
import { drawn } from '#test/support/drawn.js';

const VICTIMS = ['api', 'worker', 'postgres'] as const;
type Victim = (typeof VICTIMS)[number];

/** At each of which moments each is killed, drawn by seed: `npm run evidence` plays every one. */
const ROUNDS: readonly [Victim, readonly Moment[]][] = VICTIMS.map((victim) => [victim, drawn(MOMENTS, 1)]);

const REQUESTS_AT_THE_KILL = 6;

interface Round {
  readonly victim: Victim;
  readonly moment: Moment;
  readonly orders: readonly Order[];
  readonly backAfterMs: number;
  readonly throughAfterMs: number;
}

let world: World;
const rounds: Round[] = [];

beforeAll(async () => {
  const sandbox = await KillableSandbox.start();
  world = { sandbox, shop: new Shop(sandbox), receiver: await MerchantReceiver.register(sandbox) };
}, 150_000);

afterAll(async () => {
  report();
  await world?.receiver.close();
  expect(await world?.sandbox.end()).toEqual([]);
});

describe.each(ROUNDS)('Killing %s between payment and ledger entry', (victim, moments) => {
  it('brings each request to its right end, once, at every moment', async () => {
    const born: Birth[] = [];
    for (const moment of moments) {
      const round = await play(victim, moment, born);
      rounds.push(round);

      for (const order of round.orders) await expectRightEnd(order);
      for (const order of round.orders) expectNotifiedOfEachStep(order);
    }

    await expectWholeOrNotAtAll(born);
    const cutOff = rounds.filter(
      (round) => round.victim === victim && round.moment.name === WEBHOOK_ON_THE_WAY,
    );
    if (victim === 'worker' && cutOff.length > 0) expect(duplicatesIn(cutOff)).toBeGreaterThan(0);
    expect(await world.sandbox.verify()).toEqual({ exitCode: 0, broken: [] });
  }, 240_000);
});

async function play(victim: Victim, moment: Moment, born: Birth[]): Promise<Round> {
  const { sandbox, shop } = world;
  const orders: Order[] = [];
  for (const manner of Object.keys(MANNERS) as Manner[]) orders.push(await shop.order(manner));
  const letGo = await moment.reach(world, orders);

  if (victim === 'api') born.push(...(await requestsOnTheWay(moment)));
  const killedAt = performance.now();
  const isBack = sandbox.kill(victim);
  await letGo();
  for (const order of orders) await shop.payNextPart(order);
  const backAfterMs = await isBack();
  await until(
    `${moment.name}, ${victim} killed: every order is in the ledger and notified`,
    () => areThrough(orders),
    {
      everyMs: 100,
    },
  );
  return { victim, moment, orders, backAfterMs, throughAfterMs: performance.now() - killedAt };
}

async function areThrough(orders: readonly Order[]): Promise<boolean> {
  const [found] = await world.sandbox.query<{ posted: number; delivered: number }>(
    `SELECT (SELECT count(DISTINCT payment_request_id)::int FROM ledger.transactions
       WHERE payment_request_id = ANY($1)) AS posted,
     (SELECT count(*)::int FROM webhooks.deliveries WHERE payment_request_id = ANY($1) AND status = 'delivered') AS delivered`,
    [orders.map(({ request }) => request.id)],
  );
  return found!.posted === orders.length && found!.delivered >= 2 * orders.length;
}

async function expectRightEnd(order: Order): Promise<void> {
  const { status, history, gross, net } = promised(order);
  const progress = await world.shop.read(order.request.id);
  const transactions = await world.shop.transactionsOf(order.request.id);

  expect(progress).toMatchObject({ status, received_amount: gross });
  expect(progress.status_history.map((step) => step.status)).toEqual(history);
  expect(progress.transfers.map((transfer) => transfer.transaction_hash).sort()).toEqual(
    [...order.hashes].sort(),
  );
  expect(progress.transfers.every(({ final, counted }) => final && counted)).toBe(true);
  expect(transactions).toHaveLength(1);
  expect(transactions[0]).toMatchObject({
    type: 'payment_in',
    status: 'completed',
    gross_amount: gross,
    net_amount: net,
    expected_amount: order.request.amount,
    transaction_hash: order.hashes.at(-1),
  });
}

function expectNotifiedOfEachStep(order: Order): void {
  const received = world.receiver.of(order.request.id);
  const idsByStatus = new Map(received.map(({ status }) => [status, new Set<string>()]));
  for (const { status, webhookId } of received) idsByStatus.get(status)!.add(webhookId);

  expect([...idsByStatus.keys()].sort()).toEqual(['processing', promised(order).status].sort());
  expect([...idsByStatus.values()].map((ids) => ids.size)).toEqual([1, 1]);
  expect(received.every(({ verified }) => verified)).toBe(true);
}

interface Birth {
  readonly referenceId: string;
  readonly answer: Promise<'acknowledged' | 'lost'>;
}

/** Requests that are being created; the first of them is answered. */
async function requestsOnTheWay({ name }: Moment): Promise<Birth[]> {
  const births = Array.from({ length: REQUESTS_AT_THE_KILL }, (_, i) => {
    const referenceId = `${name}, ${i}`;
    const answer = world.shop.create('5', referenceId).then(
      () => 'acknowledged' as const,
      () => 'lost' as const,
    );
    return { referenceId, answer };
  });
  await Promise.race(births.map(({ answer }) => answer));
  return births;
}

async function expectWholeOrNotAtAll(births: readonly Birth[]): Promise<void> {
  const stored = await world.sandbox.query<{ reference_id: string; parts: string }>(
    `SELECT r.reference_id, concat_ws(' ',
       (SELECT count(*) FROM payments.deposit_addresses a WHERE a.payment_request_id = r.id),
       (SELECT count(*) FROM payments.status_history h WHERE h.payment_request_id = r.id),
       (SELECT count(*) FROM platform.events e WHERE e.aggregate_id = r.id)) AS parts
     FROM payments.payment_requests r WHERE r.reference_id = ANY($1)`,
    [births.map(({ referenceId }) => referenceId)],
  );
  const partsOf = new Map(stored.map(({ reference_id, parts }) => [reference_id, parts]));
  const outcomes = await Promise.all(births.map(async (birth) => ({ ...birth, answer: await birth.answer })));

  expect(partsOf.size).toBe(stored.length);
  for (const parts of partsOf.values()) expect(parts).toBe('1 1 1');
  for (const { referenceId, answer } of outcomes) {
    if (answer === 'acknowledged') expect(partsOf.has(referenceId)).toBe(true);
  }
  if (births.length === 0) return;
  const acknowledged = outcomes.filter(({ answer }) => answer === 'acknowledged').length;
  process.stdout.write(
    `Requests being created when the API was killed: ${births.length}; acknowledged ${acknowledged}, ` +
      `stored whole ${stored.length}, half 0\n`,
  );
}

function duplicatesIn(played: readonly Round[]): number {
  const received = played.flatMap(({ orders }) =>
    orders.flatMap(({ request }) => world.receiver.of(request.id)),
  );
  return received.length - new Set(received.map(({ webhookId }) => webhookId)).size;
}

function report(): void {
  const rows = rounds.map((round) => [
    round.victim,
    round.moment.name,
    round.orders.map((order) => promised(order).status).join(', '),
    (round.backAfterMs / 1_000).toFixed(1),
    (round.throughAfterMs / 1_000).toFixed(1),
    String(duplicatesIn([round])),
  ]);
  const table = [
    ['killed', 'moment', 'outcomes', 'back (s)', 'in the ledger (s)', 'webhooks twice'],
    ...rows,
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  for (const row of table) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}
