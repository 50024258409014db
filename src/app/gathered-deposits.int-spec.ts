import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceInvariants } from '#test/support/source-invariants.js';
import { DOLLAR } from '#contexts/payments/testing/requests/collecting-world.js';
import { openAuditedWorld } from './testing/audited-world.js';
import { verifyInvariants } from './verify-invariants.js';

const EACH = 333n;
const DAY_MS = 86_400_000;
const NOON_MS = DAY_MS / 2;

let world: Awaited<ReturnType<typeof openAuditedWorld>>;
let request: { id: string; address: string };
beforeAll(async () => {
  world = await openAuditedWorld();
  [request] = (await world.database.query<typeof request>(
    `SELECT r.id, a.address FROM payments.payment_requests r JOIN payments.deposit_addresses a ON a.payment_request_id = r.id
     WHERE r.reference_id = 'paid'`,
  )) as [typeof request];
});
afterAll(() => world.close());

const broken = async () =>
  (await verifyInvariants(await sourceInvariants(), (text) => world.database.rows(text)))
    .filter(({ breaches }) => breaches.length > 0)
    .map(({ name, breaches }) => ({ name, breaches }));

/** Noon of a later day, counted from the first day that begins after `start`. */
const dayAfter = (start: Date, days: number) =>
  new Date(Math.ceil(start.getTime() / DAY_MS + days) * DAY_MS + NOON_MS);
const dayOf = (time: Date) => time.toISOString().slice(0, 10);

const dust = (count: number) =>
  Array.from({ length: count }, () => ({ to: request.address, amount: EACH, token: DOLLAR.token }));

const posted = () =>
  world.database.query<{ gross: bigint; net: bigint; entries: number; balance: string }>(
    `SELECT t.gross_amount AS gross, t.net_amount AS net, count(e)::integer AS entries, sum(e.amount)::text AS balance
     FROM ledger.transactions t JOIN ledger.entries e ON e.transaction_id = t.id
     WHERE t.payment_request_id = $1 AND t.type IN ('deposit', 'adjustment') GROUP BY t.id ORDER BY t.account_sequence`,
    [request.id],
  );

const bookings = () =>
  world.database.query<{ gathered: object; amount: string }>(
    `SELECT data -> 'gathered' AS gathered, data ->> 'amount' AS amount FROM platform.events
     WHERE aggregate_id = $1 AND type = 'payment_request.deposit_received' AND data ? 'gathered' ORDER BY transaction_id, position`,
    [request.id],
  );

describe('A set of fifty transfers below the minimum, over two days', () => {
  it('is posted as two deposits, of which one disappeared transfer is reversed exactly', async () => {
    const before = await posted();
    const start = world.chain.tip.time;
    const [first, second, third] = [1, 2, 3].map((days) => dayAfter(start, days)) as [Date, Date, Date];
    world.chain.mineAt(first, ...dust(25));
    world.chain.mineEmpty(4);
    await world.follow();
    await world.settle();
    expect(await posted()).toEqual(before);
    expect(await broken()).toEqual([]);

    world.chain.mineAt(second, ...dust(24));
    world.chain.mine(...dust(1));
    world.chain.mineEmpty(4);
    await world.follow();
    // These blocks make no transfer of the request final.
    world.chain.mineAt(third);
    world.chain.mineEmpty(4);
    await world.follow();
    await world.settle();

    expect(await bookings()).toEqual([
      { gathered: { transfers: 25, on: dayOf(first) }, amount: '8325' },
      { gathered: { transfers: 25, on: dayOf(second) }, amount: '8325' },
    ]);
    const each = { gross: 8325n, net: 8242n, entries: 3, balance: '0' };
    expect((await posted()).slice(before.length)).toEqual([each, each]);
    const told = await world.database.query<{ eventType: string; body: string }>(
      `SELECT event_type, body FROM webhooks.events WHERE payment_request_id = $1 ORDER BY number DESC LIMIT 2`,
      [request.id],
    );
    const data = { amount: '0.008325', gathered_transfers: 25, gathered_on: dayOf(second) };
    expect(told.map(({ eventType, body }) => [eventType, JSON.parse(body)])).toMatchObject([
      ['incoming_transfer', { data: { ...data, status: 'completed' } }],
      ['deposit', { data }],
    ]);
    expect(await broken()).toEqual([]);

    world.chain.removeNewestBlocks(10);
    world.chain.mineAt(third);
    world.chain.mineEmpty(10);
    await world.follow();
    await world.settle();

    // The remainder is charged the fee of a deposit of its amount: 7992 minus 79.
    expect((await posted()).slice(before.length)).toEqual([
      each,
      each,
      { gross: -333n, net: -329n, entries: 3, balance: '0' },
    ]);
    expect(await broken()).toEqual([]);
  });

  it('is reported if a transfer is missing from its deposit or belongs to another day', async () => {
    const noticed = async (change: string) => {
      let names: string[] = [];
      await world.database
        .run(async () => {
          await world.database.queryInTransaction(`UPDATE payments.transfers SET ${change} WHERE id IN (
            SELECT id FROM payments.transfers WHERE deposit_id <> id AND reversed_at IS NULL LIMIT 1)`);
          names = (await broken()).map(({ name }) => name);
          throw new Error('undone');
        })
        .catch((error: Error) => expect(error.message).toBe('undone'));
      return names;
    };

    expect(await noticed('deposit_id = NULL')).toContain('one-event-for-each-deposit');
    expect(await noticed('deposit_id = gen_random_uuid()')).toContain('one-event-for-each-deposit');
    expect(await noticed('gathered_on = gathered_on - 1')).toContain('one-event-for-each-deposit');
    expect(await noticed('deposit_id = NULL, deposited_at = NULL')).toContain('one-event-for-each-deposit');
    expect(await noticed(`deposit_id = NULL, deposited_at = NULL, gathered_on = gathered_on - 3`)).toContain(
      'final-money-is-booked',
    );
  });
});
