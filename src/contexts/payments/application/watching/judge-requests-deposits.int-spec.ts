import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EURO, NETWORK } from '../../testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close());

/** Reasons and amounts of the request's deposits in the event log. */
async function deposits({ id }: Pick<PaymentRequestView, 'id'>): Promise<string[]> {
  const rows = await payments.database.query<{ told: string }>(
    `SELECT (data ->> 'reason') || ' ' || (data ->> 'amount') AS told FROM platform.events
     WHERE aggregate_id = $1 AND type = 'payment_request.deposit_received' ORDER BY transaction_id, position`,
    [id],
  );
  return rows.map(({ told }) => told);
}

const lastMoment = ({ expiresAt }: PaymentRequestView) => new Date(expiresAt.getTime() + 60_000);

describe('Money beside what a request received', () => {
  it('in the block after the last that counts is a deposit of the expired request, once it is final', async () => {
    const request = await payments.request();
    payments.chain.mineAt(new Date(lastMoment(request).getTime() + 1_000), pay(request, 1000));
    await payments.follow();
    const seen = await payments.read(request);

    payments.chain.mineEmpty(2);
    await payments.follow();

    expect([seen.status, seen.transfers[0]!.bookedAs]).toEqual(['expired', undefined]);
    expect((await payments.read(request)).transfers).toMatchObject([{ bookedAs: 'deposit', counted: false }]);
    expect(await deposits(request)).toEqual(['late 10000000']);
  });

  it('in the last block that counts is no deposit', async () => {
    const request = await payments.request();
    payments.chain.mineAt(lastMoment(request), pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('completed');
    expect(await deposits(request)).toEqual([]);
  });

  it('after the outcome is a deposit each time, however often and however much later', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mine(pay(request, 300));
    payments.chain.mineEmpty(2);
    await payments.follow();
    payments.chain.mineEmpty(1_000);
    payments.chain.mine(pay(request, 7), pay(request, 7));
    payments.chain.mineEmpty(2);
    await payments.follow();

    const read = await payments.read(request);
    expect([read.status, read.receivedAmount]).toEqual(['completed', 10_000_000n]);
    expect((await deposits(request)).sort()).toEqual(['after_outcome 3000000', 'late 70000', 'late 70000']);
  });

  it('in another asset is a deposit when the request has ended, and never before', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000, EURO.token));
    payments.chain.mineEmpty(5);
    await payments.follow();
    const open = await deposits(request);

    payments.chain.mineBeyond(lastMoment(request));
    await payments.follow();

    expect([open, (await payments.read(request)).status]).toEqual([[], 'expired']);
    expect(await deposits(request)).toEqual(['other_asset 10000000']);
  });

  it('to a request whose asset was withdrawn is a deposit too', async () => {
    const request = await payments.request();
    await payments.database.run(async () => {
      const [open] = await payments.requests.lock([request.id as never]);
      open!.fail(await payments.platform.clock.now());
      await payments.requests.save([open!]);
    });
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();

    expect((await payments.read(request)).status).toBe('failed');
    expect(await deposits(request)).toEqual(['after_outcome 10000000']);
  });

  it('that was final before its request failed is found without a new block for it', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 400, EURO.token));
    payments.chain.mineEmpty(3);
    await payments.follow();
    await payments.database.run(async () => {
      const [open] = await payments.requests.lock([request.id as never]);
      open!.fail(await payments.platform.clock.now());
      await payments.requests.save([open!]);
    });

    await payments.follow();

    expect(await deposits(request)).toEqual(['other_asset 4000000']);
  });

  it('is reversed when it disappears after it was posted, and deposited again where it comes again', async () => {
    const request = await payments.request();
    payments.chain.mineBeyond(lastMoment(request));
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(3);
    await payments.follow();

    payments.chain.takeBack(4);
    payments.chain.mineEmpty(1);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(4);
    await payments.follow();

    expect(await deposits(request)).toEqual(['late 10000000', 'late 10000000']);
    expect((await payments.read(request)).transfers.map(({ bookedAs }) => bookedAs)).toEqual([
      'deposit',
      'deposit',
    ]);
    expect(payments.alerts.noted).toContain(`credited transfer of ${request.id} disappeared`);
    expect(
      await payments.database.query(
        `SELECT data ->> 'postedAs' AS posted_as, data ->> 'before' AS before, data ->> 'after' AS after
         FROM platform.events WHERE type = 'payment_request.credit_reversed'`,
      ),
    ).toEqual([{ postedAs: 'deposit', before: '10000000', after: '0' }]);
  });
});

describe('Watching addresses for good', () => {
  it('asks the database as often for a block beside many ended requests as beside none', async () => {
    const statements = async () => {
      let asked = 0;
      payments.database.beforeStatement = () => {
        asked += 1;
      };
      payments.chain.mine();
      await payments.turn();
      payments.database.beforeStatement = () => undefined;
      return asked;
    };
    const request = await payments.request();
    payments.chain.mineEmpty(5);
    await payments.follow();
    const before = await statements();
    for (let ended = 1; ended <= 20; ended += 1) await payments.request();
    payments.chain.mineBeyond(lastMoment(request));
    await payments.follow();

    const beside = await statements();

    expect(beside).toBeLessThanOrEqual(before);
    expect((await payments.watched.cursor(NETWORK))!.head.hash).toBe(payments.chain.tip.hash);
  });
});
