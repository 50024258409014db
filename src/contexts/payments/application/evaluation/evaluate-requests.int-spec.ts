import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openPayments, pay, type Payments } from '../../testing/requests/open-payments.js';
import { DOLLAR, EURO } from '../../testing/requests/collecting-world.js';
import type { PaymentRequestView } from '../requests/payment-request-view.js';

let payments: Payments;
let expectedBreaches: string[];
beforeEach(async () => {
  expectedBreaches = [];
  payments = await openPayments();
  await payments.follow();
});
afterEach(() => payments.close(expectedBreaches));

const query = (text: string, values: unknown[] = []) =>
  payments.platform.database.query<Record<string, unknown>>(text, values);

/** Makes every evaluation of the request that meets a condition fail, by a trigger of the database. */
const prevent = ({ id }: PaymentRequestView, condition: string) =>
  query(
    `CREATE TRIGGER broken BEFORE UPDATE ON payments.payment_requests FOR EACH ROW
     WHEN (NEW.id = '${id}' AND ${condition}) EXECUTE FUNCTION platform.refuse_change()`,
  );
const preventEnding = (request: PaymentRequestView) => prevent(request, 'NEW.confirmed_at IS NOT NULL');
const allowEnding = () => query('DROP TRIGGER broken ON payments.payment_requests');
const readParkedRequests = () =>
  query('SELECT payment_request_id AS id, reason, retry FROM payments.parked_requests');
const retryParkedRequests = () => query('UPDATE payments.parked_requests SET retry = true');

async function stateOf(request: PaymentRequestView): Promise<unknown[]> {
  const { status, receivedAmount } = await payments.read(request);
  return [status, receivedAmount];
}

describe('A request that cannot be evaluated', () => {
  it('is parked with its reason and an alert, while others continue', async () => {
    const [broken, bystander, later] = [
      await payments.request(),
      await payments.request(),
      await payments.request(),
    ];
    await preventEnding(broken);
    payments.chain.mine(pay(broken, 1000), pay(bystander, 1000));
    payments.chain.mineEmpty(2);

    const first = await payments.follow().catch((error: Error) => error);
    payments.chain.mine(pay(broken, 200), pay(later, 1000));
    payments.chain.mineEmpty(2);
    const second = await payments.follow().catch((error: Error) => error);
    expect([first, second]).not.toContainEqual(expect.any(Error));

    expect(await readParkedRequests()).toEqual([
      { id: broken.id, reason: expect.stringContaining('append-only'), retry: false },
    ]);
    expect(payments.alerts.noted.filter((noted) => noted.startsWith('parked'))).toEqual([
      `parked ${broken.id}`,
    ]);
    expect([(await stateOf(bystander))[0], (await stateOf(later))[0]]).toEqual(['completed', 'completed']);
    expect(
      await query('SELECT amount FROM payments.transfers WHERE payment_request_id = $1 ORDER BY 1', [
        broken.id,
      ]),
    ).toEqual([{ amount: 2_000_000n }, { amount: 10_000_000n }]);
    await allowEnding();
    expectedBreaches = ['no-request-is-parked', 'what-is-paid-is-decided'];
  });

  it('is evaluated again when the operator requests it, by all transfers since then', async () => {
    const broken = await payments.request();
    // Prevents any change of the request, including its sums.
    await prevent(broken, 'NEW.version > 1');
    payments.chain.mine(pay(broken, 300));
    payments.chain.mineEmpty(2);
    await payments.follow();
    payments.chain.mine(pay(broken, 700));
    payments.chain.mine(pay(broken, 55));
    payments.chain.mineEmpty(2);
    await payments.follow();
    const before = await stateOf(broken);

    await retryParkedRequests();
    await payments.follow();
    const again = await readParkedRequests();
    await allowEnding();
    await retryParkedRequests();
    await payments.follow();

    expect(before[0]).not.toBe('completed');
    expect(again).toMatchObject([{ id: broken.id, retry: false }]);
    expect(await readParkedRequests()).toEqual([]);
    expect(await stateOf(broken)).toEqual(['completed', 10_000_000n]);
    const deposits = await query('SELECT amount FROM payments.transfers WHERE deposited_at IS NOT NULL');
    expect(deposits).toEqual([{ amount: 550_000n }]);
  });

  it('loses transfers that are reorganized away while it is parked', async () => {
    const broken = await payments.request();
    await preventEnding(broken);
    payments.chain.mine(pay(broken, 1000));
    payments.chain.mineEmpty(2);
    await payments.follow();
    payments.chain.mine(pay(broken, 400));
    await payments.follow();
    payments.chain.removeNewestBlocks(1);
    payments.chain.mineEmpty(3);
    await payments.follow();

    await allowEnding();
    await retryParkedRequests();
    await payments.follow();

    expect(await stateOf(broken)).toEqual(['completed', 10_000_000n]);
  });
});

describe('A request whose two payments exceed the largest amount of an asset', () => {
  it('adds both payments up and ends', async () => {
    const [rich, bystander] = [await payments.request(), await payments.request()];
    const half = { to: rich.address, amount: 2n ** 255n, token: DOLLAR.token };
    payments.chain.mine(half, half, pay(bystander, 1000));
    payments.chain.mineEmpty(2);

    await payments.follow();

    expect(await readParkedRequests()).toEqual([]);
    expect(await stateOf(rich)).toEqual(['overpaid', 2n ** 256n]);
    expect((await stateOf(bystander))[0]).toBe('completed');
  });
});

describe('Money outside of a payment', () => {
  it('becomes a deposit without a new block when the request fails, if its transfer is final', async () => {
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

    const { transfers } = await payments.read(request);
    expect(transfers).toMatchObject([{ amount: 4_000_000n, bookedAs: 'deposit' }]);
  });
});

/** Maximum number of transfers that one iteration marks as final. */
const MAX_FINALIZED_PER_ITERATION = 500;

const dustMovement = ({ address }: PaymentRequestView) => ({ to: address, amount: 1n, token: DOLLAR.token });

async function countFinalTransfers(request: PaymentRequestView): Promise<number> {
  const [row] = await payments.platform.database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM payments.transfers WHERE payment_request_id = $1 AND final`,
    [request.id],
  );
  return row!.count;
}

describe('A request with more transfers than one iteration marks as final', () => {
  it('is decided by all of them, after several iterations have marked them as final', async () => {
    const [request, bystander] = [await payments.request(), await payments.request()];
    payments.chain.mine(...Array.from({ length: 600 }, () => dustMovement(request)));
    payments.chain.mine(pay(request, 1000), pay(bystander, 1000));
    payments.chain.mineEmpty(2);
    await payments.turn();

    const seen: unknown[] = [];
    for (let more = true; more;) {
      more = await payments.turn();
      seen.push([await countFinalTransfers(request), (await payments.read(request)).status]);
    }

    expect([...new Set(seen.map(String))].slice(-2)).toEqual([
      `${MAX_FINALIZED_PER_ITERATION},processing`,
      '601,overpaid',
    ]);
    expect((await payments.read(bystander)).status).toBe('completed');
  });

  it('has transfers after the outcome booked as deposits, over several iterations', async () => {
    const request = await payments.request();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mine(...Array.from({ length: 650 }, () => dustMovement(request)));
    await payments.turn();
    payments.chain.mineAt(new Date(payments.chain.tip.time.getTime() + 86_400_000));
    payments.chain.mineEmpty(3);
    // Deposits of sums below the minimum are found in the iteration of a new block.
    for (let more = 0; more < 5; more += 1) {
      await payments.follow();
      payments.chain.mineEmpty(1);
    }

    expect((await payments.read(request)).status).toBe('completed');
    expect(
      await payments.platform.database.query(
        `SELECT sum(amount) FILTER (WHERE deposited_at IS NOT NULL) AS deposited,
           sum(amount) FILTER (WHERE counted) AS counted FROM payments.transfers WHERE payment_request_id = $1`,
        [request.id],
      ),
    ).toEqual([{ deposited: 650n, counted: 10_000_000n }]);
  });
});
