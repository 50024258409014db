import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';
import {
  DOLLAR,
  ETHER,
  EURO,
  GRACE_SECONDS,
  NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openCheckouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import { PostgresRequestsToJudge } from './postgres-requests-to-judge.js';

let payments: Payments;
let toJudge: PostgresRequestsToJudge;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
  toJudge = new PostgresRequestsToJudge(payments.platform.database);
});
afterEach(() => payments.close('any'));

/** A request with final money in an asset that it was not asked for in. */
async function withOtherAsset(): Promise<PaymentRequestView> {
  const request = await payments.request();
  payments.chain.mine(pay(request, 100, EURO.token));
  payments.chain.mineEmpty(2);
  await payments.follow();
  return request;
}

const inOrder = (...requests: PaymentRequestView[]) => requests.map(({ id }) => id).sort();
const fail = (request: PaymentRequestView) =>
  payments.platform.database.query(`UPDATE payments.payment_requests SET status = 'failed' WHERE id = $1`, [
    request.id,
  ]);

/** Rows of transfers that PostgreSQL looked at for it. */
async function rowsReadBy(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const [row] = await payments.platform.database.write<{ rows: number }>(
      `SELECT (COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0))::integer AS rows
       FROM pg_stat_xact_user_tables WHERE relid = 'payments.transfers'::regclass`,
    );
    return row?.rows ?? 0;
  };
  return payments.platform.database.run(async () => {
    const before = await read();
    await work();
    return (await read()) - before;
  });
}

describe('Looking for ended requests with money that is not booked', () => {
  it('steps over an open one, however much was sent to it', async () => {
    const [open, ended] = [await withOtherAsset(), await withOtherAsset()];
    await payments.platform.database.query(
      `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
         unique_asset_id, currency, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, canonical, counted, final, detected_at)
       SELECT gen_random_uuid(), network, kind, transaction_hash, 1000 + n, block_number, block_hash, block_time,
         unique_asset_id, currency, from_address, to_address, 1, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, true, false, true, detected_at
       FROM payments.transfers, generate_series(1, 20000) n WHERE payment_request_id = $1`,
      [open.id],
    );
    await payments.platform.database.query('ANALYZE payments.transfers');
    await fail(ended);

    let found: unknown;
    const read = await rowsReadBy(async () => (found = await toJudge.withUnbookedTransfers(NETWORK, 100)));

    expect(found).toEqual([ended.id]);
    expect(read).toBeLessThan(100);
  });

  it('finds no more at once than it may, goes on behind them, and then begins anew', async () => {
    const ended = [await withOtherAsset(), await withOtherAsset(), await withOtherAsset()];
    for (const request of ended) await fail(request);

    const rounds = [];
    for (let look = 0; look < 3; look += 1) rounds.push(await toJudge.withUnbookedTransfers(NETWORK, 2));

    const [first, second, third] = inOrder(...ended);
    expect(rounds).toEqual([
      [first, second],
      [third, first],
      [first, second],
    ]);
  });

  it('finds the first of another organization before the second of one with many', async () => {
    const ended = [await withOtherAsset(), await withOtherAsset(), await withOtherAsset()];
    for (const request of ended) await fail(request);
    const [first, second, last] = inOrder(...ended);
    await payments.platform.database.query(
      `UPDATE payments.payment_requests SET organization_id = gen_random_uuid() WHERE id = $1`,
      [last],
    );

    const rounds = [];
    for (let look = 0; look < 3; look += 1) rounds.push(await toJudge.withUnbookedTransfers(NETWORK, 2));

    expect(rounds).toEqual([
      [first, last],
      [second, last],
      [first, last],
    ]);
  });

  it('reaches an ended one behind more open ones than one look takes', async () => {
    const dusted = await withOtherAsset();
    await payments.platform.database.query(
      `WITH copies AS (
         INSERT INTO payments.payment_requests (id, organization_id, account_id, point_of_sale_id, type, status, network,
           unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until)
         SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, organization_id, account_id, point_of_sale_id,
           type, 'created', network, unique_asset_id, currency, decimals, amount, token, created_at, expires_at, counts_until
         FROM payments.payment_requests, generate_series(1, 1200) n WHERE id = $1 RETURNING id, organization_id, account_id)
       INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
         unique_asset_id, currency, from_address, to_address, amount, decimals, required_confirmations, payment_request_id,
         organization_id, account_id, canonical, counted, final, detected_at)
       SELECT gen_random_uuid(), network, kind, transaction_hash, 1000 + row_number() OVER (), block_number, block_hash,
         block_time, unique_asset_id, currency, from_address, to_address, 1, decimals, required_confirmations, copies.id,
         copies.organization_id, copies.account_id, true, false, true, detected_at
       FROM payments.transfers, copies WHERE payment_request_id = $1`,
      [dusted.id],
    );
    await fail(dusted);

    const looks = [];
    for (let look = 0; look < 3; look += 1) looks.push(await toJudge.withUnbookedTransfers(NETWORK, 100));

    expect(looks).toEqual([[], [], [dusted.id]]);
  });
});

describe('Looking for requests past their deadline', () => {
  /** One whose first part is final, and both the read head and finality are past its deadline; then told otherwise. */
  async function withSecondPart(change: string): Promise<PaymentRequestView> {
    const request = await payments.request();
    payments.chain.mine(pay(request, 600), pay(request, 300));
    await payments.follow();
    await payments.platform.database.query(
      `UPDATE payments.transfers SET awaits_cross_check = true WHERE payment_request_id = $1 AND amount = 3000000`,
      [request.id],
    );
    payments.chain.mineBeyond(new Date(request.expiresAt.getTime() + GRACE_SECONDS * 1_000));
    payments.chain.mineEmpty(5);
    payments.chain.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(() => false));
    await payments.follow();
    await payments.platform.database.query(
      `UPDATE payments.transfers t SET ${change} FROM payments.chain_cursors c
       WHERE c.network = t.network AND t.payment_request_id = $1 AND t.amount = 3000000`,
      [request.id],
    );
    await payments.platform.database.query('UPDATE payments.payment_requests SET version = version + 1');
    await payments.database.run(() => payments.requests.lock([request.id as never]));
    return request;
  }

  it.each([
    ['is final', 'awaits_cross_check = false, final = true, block_number = final_number', true],
    ['is not final', 'awaits_cross_check = false, block_number = final_number + 1', false],
    ['awaits agreement', 'block_number = final_number', false],
    ['is not final and awaits agreement', 'block_number = final_number + 1', false],
    [
      'is not final and does not count',
      "counted = false, block_number = final_number + 1, block_time = block_time + interval '1 day'",
      true,
    ],
  ])('finds exactly those that are decided then: a part of it %s', async (_part, change, isDecided) => {
    const request = await withSecondPart(change);
    const progress = (await payments.watched.progress([NETWORK])).get(NETWORK)!;

    const found = [];
    for (const others of [[], ['polygon']])
      found.push(...(await toJudge.pastDeadline(NETWORK, others, progress, 10)));
    const [judged] = await payments.database.run(() => payments.requests.lock([request.id as never]));
    judged!.judge(new Map([[NETWORK, progress]]), new Date());

    expect(found).toEqual(isDecided ? [request.id, request.id] : []);
    expect(judged!.snapshot().status).toBe(isDecided ? 'underpaid' : 'processing');
  });

  it('finds one for which only a sum below the minimum is not final, in another asset that was chosen', async () => {
    const checkouts = await openCheckouts();
    try {
      const checkout = await checkouts.checkout();
      const ether = (await checkouts.select(checkout, ETHER)).selected!;
      const { selected, expiresAt } = await checkouts.select(checkout, DOLLAR);
      checkouts.chain.mine(pay(selected!, 600));
      checkouts.chain.mine({ to: ether.address, amount: 1n, token: ETHER.token });
      await checkouts.follow();
      await checkouts.platform.database.query(
        `UPDATE payments.transfers SET awaits_cross_check = true WHERE amount = 1`,
      );
      checkouts.chain.holds = (_network, _hash, transfers) => Promise.resolve(transfers.map(() => false));
      checkouts.chain.mineBeyond(new Date(expiresAt.getTime() + GRACE_SECONDS * 1_000));
      checkouts.chain.mineEmpty(5);
      await checkouts.follow();

      expect((await checkouts.read(checkout)).checkout).toMatchObject({ status: 'underpaid' });
    } finally {
      await checkouts.close('any');
    }
  });
});
