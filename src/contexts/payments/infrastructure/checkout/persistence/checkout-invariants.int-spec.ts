import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckoutView } from '#contexts/payments/application/requests/payment-request-view.js';
import {
  DOLLAR,
  ETHER,
  EURO,
  OTHER_DOLLAR,
  OTHER_NETWORK,
} from '#contexts/payments/testing/requests/collecting-world.js';
import { openCheckouts, type Checkouts } from '#contexts/payments/testing/checkout/open-checkouts.js';
import { pay } from '#contexts/payments/testing/requests/open-payments.js';

let checkouts: Checkouts;
/** A session for which two assets were selected, with an address on each network. */
let session: CheckoutView;
let paid: CheckoutView;
let pending: CheckoutView;
beforeAll(async () => {
  checkouts = await openCheckouts();
  pending = await checkouts.checkout();
  session = await checkouts.checkout();
  await checkouts.select(session, OTHER_DOLLAR);
  session = await checkouts.select(session, ETHER);
  paid = await checkouts.select(await checkouts.checkout(), DOLLAR);
  checkouts.chain.mine(pay(paid.selected!, 300));
  await checkouts.follow();
});
afterAll(() => checkouts.close());

/** Returns the breaches that each invariant reports after the statements, which are then rolled back. */
async function breachesOf(...statements: string[]): Promise<Record<string, object[]>> {
  let found: Record<string, object[]> = {};
  const { database } = checkouts.platform;
  const tampering = database.run(async () => {
    for (const statement of statements) await database.queryInTransaction(statement);
    found = await checkouts.breaches();
    throw new Error('undone');
  });
  await expect(tampering).rejects.toThrow('undone');
  return found;
}

const checkout = (set: string) =>
  `UPDATE payments.checkouts SET ${set} WHERE payment_request_id = '${session.id}'`;
const selection = (set: string) =>
  `UPDATE payments.selections SET ${set} WHERE payment_request_id = '${session.id}' AND currency = 'WETH'`;
const request = (set: string, { id } = session) =>
  `UPDATE payments.payment_requests SET ${set} WHERE id = '${id}'`;
const requestAsSelected = () =>
  `UPDATE payments.payment_requests r SET amount = s.amount FROM payments.selections s
   WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id AND r.id = '${session.id}'`;

describe('The check of the invariants of checkouts', () => {
  const changes = (): [string, ...string[]][] => [
    [
      'what-is-chosen-later-has-a-session',
      `DELETE FROM payments.checkouts WHERE payment_request_id = '${pending.id}'`,
    ],
    ['checkouts-share-their-tenant', checkout('account_id = gen_random_uuid()')],
    ['checkouts-share-their-tenant', selection('account_id = gen_random_uuid()')],
    [
      'selections-are-among-the-options',
      checkout(`payment_options = '{${ETHER.uniqueAssetId},${EURO.uniqueAssetId}}'`),
    ],
    ['what-is-asked-is-what-was-selected', request('amount = amount + 1')],
    ['what-is-asked-is-what-was-selected', request(`network = '${OTHER_NETWORK}'`)],
    [
      'what-is-asked-is-what-was-selected addresses-serve-one-request',
      `INSERT INTO payments.selections SELECT '${pending.id}', unique_asset_id, organization_id, account_id, network, currency,
         decimals, amount, inclusion_grace_seconds, address, tag, rate, rate_sources, rate_at, selected_at
       FROM payments.selections WHERE payment_request_id = '${session.id}' LIMIT 1`,
    ],
    ['selected-amounts-are-worth-the-price', selection('amount = amount + 1'), requestAsSelected()],
    ['selected-amounts-are-worth-the-price', selection('amount = amount - 1'), requestAsSelected()],
    ['selected-amounts-are-worth-the-price', selection('rate = NULL, rate_sources = NULL, rate_at = NULL')],
    ['addresses-serve-one-request', selection(`address = '${paid.selected!.address.toLowerCase()}'`)],
    [
      'counted-transfers-pay-the-selection',
      request(`counts_until = expires_at + interval '4 minutes'`, paid),
      `UPDATE payments.transfers SET block_time = r.expires_at + interval '61 seconds'
       FROM payments.payment_requests r WHERE r.id = payment_request_id AND r.id = '${paid.id}'`,
    ],
  ];

  it('detects every change that no use case makes', async () => {
    for (const [reportedBy, ...statements] of changes())
      expect([statements, Object.keys(await breachesOf(...statements)).join(' ')]).toEqual([
        statements,
        reportedBy,
      ]);
  });

  it('reports nothing without a change, and reports a pending session 60 seconds after its window', async () => {
    const closedFor = (seconds: number) =>
      request(
        `created_at = now() - interval '1 hour', counts_until = platform.now(),
           expires_at = platform.now() - interval '${seconds} seconds'`,
        pending,
      );

    expect(await breachesOf(closedFor(59))).toEqual({});
    expect(Object.keys(await breachesOf(closedFor(61)))).toEqual(['nothing-stays-pending']);
  });

  it.each([
    ['created', 'head_time'],
    ['processing', 'final_time'],
  ])('detects a request that stays open after the deadline of all its networks: %s', async (status, time) => {
    const stays = (networks: readonly string[]) => [
      request(`status = '${status}'`),
      `UPDATE payments.chain_cursors SET final_number = 0, ${time} = platform.now() + interval '30 minutes',
         ${time === 'head_time' ? 'final_time = head_time' : 'moved_at = moved_at'} WHERE network = ANY('{${networks.join()}}')`,
    ];
    const noticedAfter = async (...networks: string[]) =>
      (await breachesOf(...stays(networks)))['nothing-stays-past-its-deadline'] ?? [];
    const { network } = session.selected!;
    const row = { id: session.id, status };

    expect(await noticedAfter(network)).not.toContainEqual(row);
    expect(await noticedAfter(network, OTHER_NETWORK)).toContainEqual(row);
  });
});
