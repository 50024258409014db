import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PaymentRequestView } from '../../application/requests/payment-request-view.js';
import { EURO, GRACE_SECONDS, NETWORK } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import { PostgresRequestsToEvaluate } from './postgres-requests-to-evaluate.js';

let payments: Payments;
let toJudge: PostgresRequestsToEvaluate;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
  toJudge = new PostgresRequestsToEvaluate(payments.platform.database);
});
afterEach(() => payments.close('any'));

/** Stores a request that received a final transfer in an asset that it did not request. */
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

describe('The search for ended requests with unbooked money', () => {
  it('continues behind the last result and starts again at the end', async () => {
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

  it('finds one request of each organization before a second one', async () => {
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
});

describe('The search for requests past their deadline', () => {
  /**
   * Stores a request with a final partial payment, on a network that is final past its deadline, and applies the
   * change.
   */
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
    payments.chain.containsTransfers = (_hash, transfers) => Promise.resolve(transfers.map(() => false));
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
    [
      'is not final and does not count',
      "counted = false, block_number = final_number + 1, block_time = block_time + interval '1 day'",
      true,
    ],
  ])(
    'finds a request only if it can be decided: its partial payment %s',
    async (_part, change, isDecided) => {
      const request = await withSecondPart(change);
      const progress = (await payments.watched.progress([NETWORK])).get(NETWORK)!;

      const found = [];
      for (const others of [[], ['polygon']])
        found.push(...(await toJudge.pastDeadline(NETWORK, others, progress, 10)));
      const [judged] = await payments.database.run(() => payments.requests.lock([request.id as never]));
      judged!.evaluate(new Map([[NETWORK, progress]]), new Date());

      expect(found).toEqual(isDecided ? [request.id, request.id] : []);
      expect(judged!.snapshot().status).toBe(isDecided ? 'underpaid' : 'processing');
    },
  );
});
