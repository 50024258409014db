import { beforeEach, describe, expect, it } from '@jest/globals';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { pay, withReadPayments, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { PaymentRequestView } from '#contexts/payments/application/requests/payment-request-view.js';

const MAX_TRANSFERS_PER_ITERATION = 4;
/**
 * Number of transfers of one unit in each block: two blocks that fit into one iteration together, one block above
 * the limit, and one more.
 */
const TRANSFERS_PER_BLOCK = [2, 2, 6, 1];

let payments: Payments;
withReadPayments((opened) => (payments = opened));

let request: PaymentRequestView;
/** Number of the last block before the blocks with transfers. */
let lastEmptyBlock: number;
beforeEach(async () => {
  request = await payments.request();
  lastEmptyBlock = payments.chain.tip.number;
});

const dustMovement = () => ({ to: request.address, amount: 1n, token: DOLLAR.token });
const mineDust = (counts: readonly number[]) =>
  counts.forEach((count) => payments.chain.mine(...Array.from({ length: count }, dustMovement)));

/** Far more iterations than any of these tests needs. An iteration without progress must not repeat forever. */
const MAX_ITERATIONS = 30;

/** Runs iterations until none must follow immediately, and records the state after each one. */
async function runIterations<T>(
  limits: Parameters<Payments['limitedWatcher']>[0],
  look: () => Promise<T>,
): Promise<T[]> {
  const watcher = payments.limitedWatcher(limits);
  const seen: T[] = [];
  for (let more = true; more;) {
    more = await watcher.follow(NETWORK, payments.epoch);
    seen.push(await look());
    expect(await payments.breaches()).toEqual({});
    expect(seen.length).toBeLessThan(MAX_ITERATIONS);
  }
  return seen;
}

const cursor = async () => (await payments.watched.cursor(NETWORK))!;
const headBehind = async () => (await cursor()).head.number - lastEmptyBlock;
const finalBehind = async () => (await cursor()).finalNumber! - lastEmptyBlock;

/** Returns the number and the stored sum of canonical transfers. */
async function readCanonicalTransfers(): Promise<string> {
  const [row] = await payments.platform.database.query<{ count: number; received: bigint }>(
    `SELECT (SELECT count(*)::integer FROM payments.transfers WHERE canonical) AS count,
       COALESCE(sum(seen_amount), 0) AS received FROM payments.received_sums WHERE payment_request_id = $1`,
    [request.id],
  );
  return `${row!.count} of ${row!.received}`;
}

describe('An iteration that is limited by the transfers of blocks', () => {
  it('reads at least one block, and further ones up to the limit', async () => {
    mineDust(TRANSFERS_PER_BLOCK);

    expect(await runIterations({ incoming: MAX_TRANSFERS_PER_ITERATION }, headBehind)).toEqual([2, 3, 4]);

    expect(await readCanonicalTransfers()).toBe('11 of 11');
  });

  it('reads final blocks again up to the limit, and at least one', async () => {
    mineDust(TRANSFERS_PER_BLOCK);
    await payments.turn();
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(5);

    expect(await runIterations({ reread: MAX_TRANSFERS_PER_ITERATION }, finalBehind)).toEqual([2, 3, 8]);

    expect((await payments.read(request)).status).toBe('overpaid');
  });

  it('moves back over blocks up to the limit, and at least one', async () => {
    mineDust([1, 6, 2, 2]);
    await payments.turn();
    payments.chain.removeNewestBlocks(4);
    payments.chain.mineEmpty(4);
    payments.chain.mine();

    const seen = await runIterations(
      { rewound: MAX_TRANSFERS_PER_ITERATION },
      async () => `${await readCanonicalTransfers()}, head ${await headBehind()}`,
    );

    expect([...new Set(seen)]).toEqual([
      '7 of 7, head 2',
      '1 of 1, head 1',
      '0 of 0, head 0',
      '0 of 0, head 5',
    ]);
    expect(payments.alerts.noted).toEqual(['reorganized 2', 'reorganized 1', 'reorganized 1']);
    payments.chain.mine(pay(request, 1000));
    payments.chain.mineEmpty(3);
    await payments.follow();
    const { status, receivedAmount } = await payments.read(request);
    expect([status, receivedAmount]).toEqual(['completed', 10_000_000n]);
  });
});
