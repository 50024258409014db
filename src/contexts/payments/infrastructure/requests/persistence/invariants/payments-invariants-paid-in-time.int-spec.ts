import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DOLLAR,
  EURO,
  OTHER_DOLLAR,
  OTHER_NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';

const NAME = 'nothing-paid-in-time-expires';

let checkouts: Checkouts;
/** Ids of paid requests: paid at the address selected last, at an address selected earlier, and at the only address. */
const paid: Record<string, string> = {};

beforeAll(async () => {
  checkouts = await openCheckouts();
  const last = await checkouts.select(await checkouts.checkout(), DOLLAR);
  const twice = await checkouts.checkout();
  const earlier = await checkouts.select(twice, OTHER_DOLLAR);
  await checkouts.select(twice, DOLLAR);
  const direct = await checkouts.request();
  checkouts.chain.mine(pay(last.selected!, 300), pay(direct, 300));
  checkouts.chainOf(OTHER_NETWORK).mine(pay(earlier.selected!, 300, OTHER_DOLLAR.token));
  await checkouts.follow();
  await checkouts.follow(OTHER_NETWORK);
  Object.assign(paid, { last: last.id, earlier: twice.id, direct: direct.id });
});
afterAll(() => checkouts.close());

/**
 * Returns the breaches after the request has expired without its payment and the change is made. Both are rolled back.
 */
async function noticed(id: string, change = 'SELECT $1::uuid'): Promise<unknown[] | undefined> {
  let found: Record<string, object[]> = {};
  const { database } = checkouts.platform;
  await expect(
    database.run(async () => {
      await database.queryInTransaction(
        `INSERT INTO payments.status_history (payment_request_id, step, status, at)
         SELECT $1, 9, 'expired', max(detected_at) FROM payments.transfers WHERE payment_request_id = $1`,
        [id],
      );
      await database.queryInTransaction(
        `UPDATE payments.transfers SET counted = false, final = true WHERE payment_request_id = $1`,
        [id],
      );
      await database.queryInTransaction(change, [id]);
      found = await checkouts.breaches();
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  return found[NAME];
}

const transfers = (change: string) =>
  `UPDATE payments.transfers t SET ${change} WHERE payment_request_id = $1`;

describe('The invariant of payments in time', () => {
  it.each(['last', 'earlier', 'direct'])(
    'detects a payment in time that did not count: %s',
    async (which) => {
      expect(await noticed(paid[which]!)).toEqual([
        expect.objectContaining({ paymentRequestId: paid[which] }),
      ]);
    },
  );

  it.each([
    ['is below the minimum of its asset', transfers('amount = 9999')],
    ['is not final', transfers('final = false')],
    ['was reorganized away', transfers('canonical = false')],
    ['is in another asset', transfers(`unique_asset_id = '${EURO.uniqueAssetId}'`)],
    ['was seen after it had expired', transfers(`detected_at = detected_at + interval '1 second'`)],
    ['is on another network', transfers(`network = 'elsewhere'`)],
    ['was sent to another address', transfers(`to_address = '0x${'9'.repeat(40)}'`)],
    ['was seen before there was anything to pay', transfers(`detected_at = detected_at - interval '1 hour'`)],
  ])('ignores a payment that %s', async (_what, change) => {
    for (const id of Object.values(paid)) expect(await noticed(id, change)).toBeUndefined();
  });

  it.each([
    ['last', 60],
    ['direct', 60],
  ])('uses the grace of the network, to the second: %s', async (which, grace) => {
    const after = (seconds: number) =>
      `UPDATE payments.transfers SET block_time = r.expires_at + interval '${seconds} seconds'
       FROM payments.payment_requests r WHERE r.id = payment_request_id AND r.id = $1`;

    expect(await noticed(paid[which]!, after(grace))).toHaveLength(1);
    expect(await noticed(paid[which]!, after(grace + 1))).toBeUndefined();
  });
});
