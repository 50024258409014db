import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import { openPaymentLinks } from '../../testing/open-payment-links.js';
import { pay } from '../../testing/requests/open-payments.js';
import { ChainAuditQueries } from '../../infrastructure/audit/persistence/chain-audit-queries.js';
import { PostgresNativeBalances } from '../../infrastructure/evaluation/postgres-native-balances.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

const HOUR_SECONDS = 3_600;
const RETENTION_SECONDS = 168 * HOUR_SECONDS;
const PAST_DEADLINE_SECONDS = 600;
/** Ignored invariants, because no ledger runs in this test. They are violated only in tests that advance the time. */
const IGNORED_LEDGER_INVARIANTS = ['ledger-confirmed-posted-once', 'ledger-deposits-posted-once'];

type Bench = Awaited<ReturnType<typeof openPaymentLinks>>;
let bench: Bench;
let payers = 0;

beforeEach(async () => {
  bench = await openPaymentLinks();
  await bench.follow();
});
afterEach(() => bench.close(IGNORED_LEDGER_INVARIANTS));

const openAsNewPayer = async (code: string): Promise<CheckoutView> => {
  const payerSecret = String((payers += 1)).padStart(32, 'p');
  return bench.openLink.open({ code, payerSecret, forceNew: false, caller: '203.0.113.7' });
};

/** Advances the time, and reads the network up to the new time. */
async function advanceAndRead(seconds: number): Promise<void> {
  await bench.platform.advance(seconds);
  bench.chain.mineAt(await bench.platform.clock.now());
  await bench.follow();
}

/** Returns all stored rows of a request as text, except its history and events. */
async function readStoredRows({ id }: Pick<CheckoutView, 'id'>): Promise<string[]> {
  const rows = await bench.database.query<{ row: string }>(
    `SELECT to_jsonb(r)::text AS row FROM payments.payment_requests r WHERE id = $1
     UNION ALL SELECT to_jsonb(c)::text FROM payments.checkouts c WHERE payment_request_id = $1
     UNION ALL SELECT to_jsonb(s)::text FROM payments.selections s WHERE payment_request_id = $1
     UNION ALL SELECT to_jsonb(a)::text FROM payments.deposit_addresses a WHERE payment_request_id = $1 ORDER BY 1`,
    [id],
  );
  return rows.map(({ row }) => row);
}

async function countOf(table: string, { id }: Pick<CheckoutView, 'id'>): Promise<number> {
  const column = table === 'platform.events' ? 'aggregate_id' : 'payment_request_id';
  const rows = await bench.database.query(`SELECT FROM ${table} WHERE ${column} = $1`, [id]);
  return rows.length;
}

/** Removes the token and the version, which a deposit increases. */
const removeTokenAndVersion = (rows: string[]) =>
  rows.map((row) => row.replace(/"token": "[^"]*"/, '').replace(/"(?:sums_at_)?version": \d+/g, ''));

describe('The pruning of payment link sessions', () => {
  it('removes an unpaid session after its retention, and keeps its history and events', async () => {
    const { code } = await bench.link();
    const session = await openAsNewPayer(code);
    await advanceAndRead(PAST_DEADLINE_SECONDS);
    await advanceAndRead(RETENTION_SECONDS - PAST_DEADLINE_SECONDS - 60);

    await bench.prune.prune();
    const before = await readStoredRows(session);
    await advanceAndRead(HOUR_SECONDS);
    await bench.prune.prune();

    expect(before).toHaveLength(4);
    expect(await readStoredRows(session)).toEqual([]);
    expect(await bench.count('payment_link_sessions')).toBe(0);
    expect(await countOf('payments.status_history', session)).toBe(2);
    expect(await countOf('platform.events', session)).toBe(2);
    expect(await bench.database.query('SELECT FROM payments.link_openings')).toEqual([]);
    await expect(bench.read(session)).rejects.toMatchObject({ kind: 'not_found' });
  });

  it('restores a session when funds arrive at one of its addresses, as a deposit by its terms', async () => {
    await bench.pointsOfSale.change(bench.point, {
      paymentOptions: [DOLLAR.uniqueAssetId, EURO.uniqueAssetId],
    });
    const { code } = await bench.link();
    const payerSecret = 'z'.repeat(32);
    const session = await bench.openLink.open({
      code,
      payerSecret,
      forceNew: false,
      caller: '203.0.113.7',
    });
    await bench.selectForLink.select(code, payerSecret, EURO.uniqueAssetId);
    const chosen = await bench.selectForLink.select(code, payerSecret, DOLLAR.uniqueAssetId);
    await advanceAndRead(PAST_DEADLINE_SECONDS);
    const before = await readStoredRows(session);
    await advanceAndRead(RETENTION_SECONDS);
    await bench.prune.prune();
    const pruned = await readStoredRows(session);

    bench.chain.mine(pay({ address: chosen.selected!.address }, 1_000));
    bench.chain.mineEmpty(5);
    await bench.follow();

    expect([before.length > 4, pruned]).toEqual([true, []]);
    expect(removeTokenAndVersion(await readStoredRows(session))).toEqual(removeTokenAndVersion(before));
    expect(await bench.read(session)).toMatchObject({
      status: 'expired',
      transfers: [{ bookedAs: 'deposit', amount: 10_000_000n }],
    });
    const [deposit] = await bench.database.query<{ data: object }>(
      `SELECT data FROM platform.events WHERE type = 'payment_request.deposit_received'`,
    );
    expect(deposit!.data).toMatchObject({ amount: '10000000', reason: 'late', feeBasisPoints: 100 });
    expect(await bench.database.query('SELECT FROM payments.pruned_requests')).toEqual([]);
    expect(await new ChainAuditQueries(bench.database).listNaspipTokens(NETWORK, '', 10)).toEqual([]);
  });

  it('loses no payment to a session that it removes during an iteration of the watcher', async () => {
    const { code } = await bench.link();
    const session = await openAsNewPayer(code);
    await advanceAndRead(PAST_DEADLINE_SECONDS);
    await advanceAndRead(RETENTION_SECONDS);
    let pruned = false;
    bench.database.afterStatement = async (text) => {
      if (pruned || !text.includes('FROM payments.pruned_addresses')) return;
      pruned = true;
      const replica = await bench.replica();
      await replica.prune.prune();
      expect(await readStoredRows(session)).toEqual([]);
    };

    bench.chain.mine(pay({ address: session.selected!.address }, 300));
    bench.chain.mineEmpty(5);
    await bench.follow();

    expect(pruned).toBe(true);
    expect(await readStoredRows(session)).not.toEqual([]);
    expect((await bench.read(session)).transfers).toMatchObject([{ bookedAs: 'deposit' }]);
  });

  it('keeps a session that is open or paid, has received late funds, or was paid out', async () => {
    const { code } = await bench.link();
    const [paid, late, unpaid] = [
      await openAsNewPayer(code),
      await openAsNewPayer(code),
      await openAsNewPayer(code),
    ];
    const paidOut = await openAsNewPayer(code);
    bench.chain.mine(pay({ address: paid.selected!.address }, 1_000));
    bench.chain.mine({ to: paidOut.selected!.address, amount: 5n, token: DOLLAR.token, kind: 'payout' });
    bench.chain.mineEmpty(5);
    await bench.follow();
    await advanceAndRead(PAST_DEADLINE_SECONDS);
    bench.chain.mine(pay({ address: late.selected!.address }, 1));
    bench.chain.mineEmpty(5);
    await bench.follow();
    await advanceAndRead(RETENTION_SECONDS);
    const young = await openAsNewPayer(code);

    await bench.prune.prune();

    const left = [paid, late, paidOut, unpaid, young].map(
      async (each) => (await readStoredRows(each)).length > 0,
    );
    expect(await Promise.all(left)).toEqual([true, true, true, false, true]);
    // The cookie of a payer is over by then, whatever became of the session.
    expect(await bench.count('payment_link_sessions')).toBe(1);
  });

  it('keeps a session while its network is not read up to its deadline', async () => {
    const { code } = await bench.link();
    const session = await openAsNewPayer(code);
    bench.chain.mine(pay({ address: (await openAsNewPayer(code)).selected!.address }, 1_000));
    await bench.follow();
    await bench.platform.advance(PAST_DEADLINE_SECONDS + RETENTION_SECONDS);

    await bench.prune.prune();
    const waiting = await readStoredRows(session);
    expect(await bench.database.query('SELECT FROM payments.link_openings')).toHaveLength(2);
    await advanceAndRead(2 * HOUR_SECONDS);
    await bench.prune.prune();

    expect([waiting.length, await readStoredRows(session)]).toEqual([4, []]);
  });

  it('lets the balances of pruned addresses be compared, and publishes their payouts by their terms', async () => {
    const { code } = await bench.link();
    const session = await openAsNewPayer(code);
    await advanceAndRead(PAST_DEADLINE_SECONDS);
    await advanceAndRead(RETENTION_SECONDS);
    await bench.prune.prune();
    const to = session.selected!.address;
    const balances = new PostgresNativeBalances(bench.database);
    const sweep = () => balances.nextForDailyComparison(NETWORK, DOLLAR.uniqueAssetId, 10);
    const before = await sweep();

    bench.chain.mine({ to, amount: 5n, token: DOLLAR.token, kind: 'payout' });
    await bench.follow();

    const [seen] = await bench.database.query<{ account: string; data: object }>(
      `SELECT account_id AS account, data FROM platform.events WHERE type = 'payouts.seen'`,
    );
    expect(seen).toMatchObject({
      account: session.accountId,
      data: { payouts: [{ paymentRequestId: session.id, address: to.toLowerCase(), feeBasisPoints: 100 }] },
    });
    const address = { address: to.toLowerCase(), paymentRequestId: session.id };
    expect([before, await sweep()]).toEqual([
      [{ ...address, expected: 0n }],
      [{ ...address, expected: -5n }],
    ]);
  });
});
