import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RegisteredWebhookDto } from '#contexts/webhooks/infrastructure/registration/http/webhook.dto.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { eventually } from '../support/eventually.js';
import { documentedTables } from '../support/retention-page.js';
import { publishFigure } from './figures.js';
import { FORM } from './measures.js';
import { SettledWorld, type PayableRequest } from './settled-world.js';
import { grown, weigh, type Weighed } from './weighed-tables.js';

const LONG = FORM === 'long';
const PAYMENTS = ({ short: 5, figures: 20, long: 1_000 } as const)[FORM];
const CONFIRMATIONS = 5;
const DAY = 86_400;
/** Rows of networks, of accounts, of processes and of each settlement, however many payments there are. */
const NOT_OF_PAYMENTS = [
  ...['payments.blocks', 'payments.chain_cursors', 'payments.chain_audits'],
  ...['ledger.balances', 'ledger.sequences', 'webhooks.webhooks', 'webhooks.attempt_totals'],
  ...['platform.leases', 'platform.subscriber_positions', 'platform.seals', 'platform.due_work'],
];
/** Rows of each settlement and of the call that makes it, which deliver up to a hundred payments together. */
const OF_SETTLEMENTS = [
  ...['settlement.settlements', 'settlement.batches', 'networks.sendings', 'networks.sending_attempts'],
];
/** Bytes of the rows of one payment, without pages and indexes, of what is kept for ever and of what has an age. */
const MAX_BYTES = { forEver: 8_900, working: 1_200 };

/** Attempts and acts that a busy machine repeats, and figures of which one row counts many payments. */
const NOT_BY_PAYMENT = [
  ...['webhooks.delivery_attempts', 'platform.operator_actions', 'figures.daily', 'figures.assets'],
];
/** Rows of one payment, by table: seen in a block, and notified. */
const SEEN: Readonly<Record<string, number>> = {
  'payments.received_sums': 1,
  'payments.status_history': 1,
  'payments.transfers': 1,
  'platform.events': 1,
  'webhooks.deliveries': 1,
  'webhooks.events': 1,
};
const FINAL: Readonly<Record<string, number>> = {
  'ledger.entries': 3,
  'ledger.transactions': 1,
  'payments.receipts': 1,
  'payments.status_history': 2,
  'platform.events': 2,
  'settlement.waiting': 1,
  'webhooks.deliveries': 1,
  'webhooks.events': 1,
};
const both = (one: typeof SEEN, other: typeof SEEN) =>
  Object.fromEntries(
    Object.keys({ ...one, ...other }).map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)]),
  );

let world: SettledWorld;
let receiver: Receiver;

beforeAll(async () => {
  const settlement = { paused: true, every_seconds: 0.2, max_gas_share_percent: 100, after_hours: 0 };
  [world, receiver] = await Promise.all([SettledWorld.open(settlement), startReceiver()]);
  const path = `/v1/account/${world.service.seed.accountId}/webhook`;
  const body = { url: receiver.url, event_type: 'payment_request' };
  await world.service.api.post<RegisteredWebhookDto>(path, body);
}, 120_000);

afterAll(async () => {
  await receiver?.close();
  await world?.close();
});

const query = <Row extends object>(text: string) => world.service.query<Row>(text);
const weighed = () => weigh(query, NOT_OF_PAYMENTS);
const count = async (condition: string) =>
  (await query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${condition}`))[0]!.count;
const asset = () => world.asset('USDC');

async function payAll(requests: readonly PayableRequest[]): Promise<void> {
  await world.pay(asset(), requests, 1_000_000n);
  await eventually(
    () => count(`webhooks.deliveries WHERE status = 'delivered'`),
    (delivered) => delivered >= PAYMENTS,
  );
}

async function finishAll(): Promise<void> {
  await world.service.chain.mine(CONFIRMATIONS);
  await eventually(
    async () => [
      await count('payments.payment_requests WHERE confirmed_at IS NOT NULL'),
      await count('ledger.transactions'),
      await count(`webhooks.deliveries WHERE status = 'delivered'`),
    ],
    ([confirmed, booked, delivered]) =>
      confirmed === PAYMENTS && booked === PAYMENTS && delivered === 2 * PAYMENTS,
  );
}

async function settleAll(): Promise<void> {
  await world.untilWaiting(PAYMENTS);
  for (let settled = 0; settled < PAYMENTS;) {
    const { sent } = await world.operator.run<{ sent: { payouts: number } | null }>(
      'settlement',
      'run',
      'sandbox',
      '--yes',
    );
    settled += sent?.payouts ?? 0;
    await world.service.chain.mine(CONFIRMATIONS);
  }
  await world.untilSettled(600_000);
  await eventually(
    async () => [
      await count('ledger.settled_transactions'),
      await count('settlement.settlements'),
      await count(`ledger.status_changes WHERE status = 'completed'`),
      await count(`webhooks.events WHERE event_type = 'settlement'`),
    ],
    ([linked, settlements, booked, notified]) =>
      linked === PAYMENTS && booked === settlements && notified === settlements,
  );
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function report(start: Weighed, end: Weighed): { forEver: number; working: number } {
  const working = new Set(
    documentedTables()
      .filter(({ step }) => step !== '–')
      .map(({ table }) => table),
  );
  const sums = { forEver: 0, working: 0 };
  const rows = grown(start, end, 'rowBytes', PAYMENTS);
  const [pages, indexes] = [
    grown(start, end, 'pageBytes', PAYMENTS),
    grown(start, end, 'indexBytes', PAYMENTS),
  ];
  for (const name of Object.keys({ ...rows, ...pages, ...indexes }).sort()) {
    if (!NOT_BY_PAYMENT.includes(name)) sums[working.has(name) ? 'working' : 'forEver'] += rows[name] ?? 0;
    const kept = working.has(name) ? 'an age' : 'for ever';
    print(
      `${name} (${kept}): ${rows[name] ?? 0} bytes of rows, ${pages[name] ?? 0} of pages, ${indexes[name] ?? 0} of indexes`,
    );
  }
  print(`rows of one payment: ${JSON.stringify(sums)}`);
  return sums;
}

describe('A payment, from its request to its settlement', () => {
  it('writes a fixed number of rows, and a bounded number of bytes', async () => {
    const start = await weighed();
    const requests = await world.request(asset(), PAYMENTS, '1');
    const created = await weighed();
    await payAll(requests);
    const seen = await weighed();
    await finishAll();
    const final = await weighed();
    await settleAll();
    const end = await weighed();

    const stages = [
      ['created', start, created],
      ['seen in a block, and notified', created, seen],
      ['final, booked and notified', seen, final],
      ['settled', final, end],
      ['its whole life', start, end],
    ] as const;
    for (const [stage, from, to] of stages)
      print(`${stage}: ${Math.round((to.walBytes - from.walBytes) / PAYMENTS)} bytes of WAL`);
    const bytes = report(start, end);
    publishFigure({
      work: 'store a payment permanently, from its request to its settlement',
      result: `${Math.round(bytes.forEver).toLocaleString('en')} bytes of rows`,
      measurement: 'payment-bytes',
    });
    expect(bytes.forEver).toBeLessThan(MAX_BYTES.forEver);
    expect(bytes.working).toBeLessThan(MAX_BYTES.working);
    // A receiver that is late on a busy machine is tried again.
    expect(await count(`webhooks.delivery_attempts WHERE status = 'delivered'`)).toBe(2 * PAYMENTS);
    const rows = (from: Weighed, to: Weighed) => {
      const all = Object.entries(grown(from, to, 'rows', PAYMENTS));
      return Object.fromEntries(all.filter(([name]) => !NOT_BY_PAYMENT.includes(name)));
    };
    expect(rows(start, created)).toEqual({
      'payments.deposit_addresses': 1,
      'payments.payment_requests': 1,
      'payments.status_history': 1,
      'platform.events': 1,
    });
    // Of many, which lie in several blocks, the first are final before the last are notified.
    if (!LONG) expect(rows(created, seen)).toEqual(SEEN);
    if (!LONG) expect(rows(seen, final)).toEqual(FINAL);
    expect(rows(created, final)).toEqual(both(SEEN, FINAL));
    // A row for each payment, and the rows of as many settlements as there were.
    const settled = Object.entries(rows(final, end)).filter(([name]) => !OF_SETTLEMENTS.includes(name));
    expect(Object.fromEntries(settled)).toMatchObject({
      'ledger.settled_transactions': 1,
      'payments.payouts': 1,
      'settlement.batch_payouts': 1,
      'settlement.settled_addresses': 1,
    });
  }, 1_200_000);

  (LONG ? it : it.skip)(
    'leaves only permanent rows after 91 days',
    async () => {
      const [before] = await query<{ events: number }>(
        'SELECT count(*)::integer AS events FROM webhooks.events',
      );
      await world.service.advance(91 * DAY);

      await eventually(
        () => count('webhooks.deliveries'),
        (left) => left === 0,
        300_000,
      );

      expect(await count('webhooks.delivery_attempts')).toBe(0);
      expect(await count('webhooks.events')).toBe(before!.events);
      expect(await world.service.breaches()).toEqual([]);
    },
    600_000,
  );
});
