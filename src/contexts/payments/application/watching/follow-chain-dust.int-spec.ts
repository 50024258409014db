import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

/** The most transfers that one turn marks final. */
const MAX_MARKED = 500;

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

const dust = ({ address }: PaymentRequestView) => ({ to: address, amount: 1n, token: DOLLAR.token });

async function marked(request: PaymentRequestView): Promise<number> {
  const [row] = await payments.platform.database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM payments.transfers WHERE payment_request_id = $1 AND final`,
    [request.id],
  );
  return row!.count;
}

async function statusOf(request: PaymentRequestView): Promise<string> {
  const [row] = await payments.platform.database.query<{ status: string }>(
    `SELECT status FROM payments.payment_requests WHERE id = $1`,
    [request.id],
  );
  return row!.status;
}

describe('Transfers whose sum is below the minimum', () => {
  it('change nothing of their request, and become one deposit once it has expired and their day is final', async () => {
    const request = await payments.request();
    const [small, added] = [
      { ...dust(request), amount: 6_000n },
      { ...dust(request), amount: 3_999n },
    ];
    payments.chain.mine(small);
    payments.chain.mine(added);
    await payments.follow();
    const open = await payments.read(request);
    const dayAfter = new Date(payments.chain.tip.time.getTime() + 2 * 86_400_000);
    payments.chain.mineAt(dayAfter);
    payments.chain.mineEmpty(3);
    await payments.follow();
    payments.chain.mineEmpty(1);
    await payments.follow();

    const { status, receivedAmount, transfers } = await payments.read(request);

    expect([open.status, open.receivedAmount]).toEqual(['created', 0n]);
    expect(open.transfers.map(({ counted }) => counted)).toEqual([false, false]);
    expect(await payments.told(request)).toEqual(['created', 'expired']);
    expect([status, receivedAmount]).toEqual(['expired', 0n]);
    expect(transfers.map(({ bookedAs }) => bookedAs)).toEqual(['deposit', 'deposit']);
    const deposits = await payments.platform.database.query(
      `SELECT data ->> 'amount' AS amount FROM platform.events
       WHERE aggregate_id = $1 AND type = 'payment_request.deposit_received'`,
      [request.id],
    );
    expect(deposits).toEqual([{ amount: '9999' }]);
  });
});

describe('Thousands of the smallest amounts, sent to one request by a stranger', () => {
  it('become final over many turns, and the request is judged by all of them at once', async () => {
    const [request, bystander] = [await payments.request(), await payments.request()];
    for (let block = 0; block < 4; block += 1)
      payments.chain.mine(...Array.from({ length: 600 }, () => dust(request)));
    payments.chain.mine(pay(request, 1000), pay(bystander, 1000));
    payments.chain.mineEmpty(2);
    await payments.turn();

    const seen: { marked: number; status: string }[] = [{ marked: 0, status: 'processing' }];
    let statements: string[] = [];
    for (let more = true; more;) {
      statements = await payments.database.sentBy(async () => (more = await payments.turn()));
      seen.push({ marked: await marked(request), status: await statusOf(request) });
    }

    const steps = seen.slice(1).map((turn, before) => turn.marked - seen[before]!.marked);
    expect(Math.max(...steps)).toBe(MAX_MARKED);
    const unfinished = seen.filter((turn) => turn.marked < 2_401);
    expect(new Set(unfinished.map(({ status }) => status))).toEqual(new Set(['processing']));
    expect(seen.at(-1)).toEqual({ marked: 2_401, status: 'overpaid' });
    expect((await payments.read(bystander)).status).toBe('completed');
    // What was marked is as it was to be: the outcome does not write it once more.
    expect(statements.some((text) => text.includes('INSERT INTO payments.status_history'))).toBe(true);
    expect(statements.some((text) => text.includes('INSERT INTO payments.transfers'))).toBe(false);
  }, 240_000);

  it('become deposits over several turns where the request was decided by an earlier block', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    for (let block = 0; block < 2; block += 1)
      payments.chain.mine(...Array.from({ length: 650 }, () => dust(request)));
    await payments.turn();
    payments.chain.mineAt(new Date(payments.chain.tip.time.getTime() + 86_400_000));
    payments.chain.mineEmpty(3);

    await payments.follow();
    // What is gathered is found again with each turn, of which a block is the occasion.
    for (let more = 0; more < 5; more += 1) {
      payments.chain.mineEmpty(1);
      await payments.follow();
    }

    const { status, receivedAmount } = await payments.read(request);
    expect([status, receivedAmount]).toEqual(['completed', 10_000_000n]);
    const [row] = await payments.platform.database.query<{ deposited: bigint; counted: bigint }>(
      `SELECT sum(amount) FILTER (WHERE deposited_at IS NOT NULL) AS deposited, sum(amount) FILTER (WHERE counted) AS counted
       FROM payments.transfers WHERE payment_request_id = $1`,
      [request.id],
    );
    expect(row).toEqual({ deposited: 1300n, counted: 10_000_000n });
  }, 240_000);
});
