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
/** Selected twice, an address on each network. */
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

type Sql = (text: string, values?: unknown[]) => Promise<unknown>;

/** Breaches that the invariants notice, in a unit of work that is rolled back. */
async function breachesOf(tamper: (sql: Sql) => Promise<unknown>): Promise<Record<string, object[]>> {
  let found: Record<string, object[]> = {};
  await expect(
    checkouts.platform.database.run(async () => {
      await tamper((text, values) => checkouts.platform.database.write(text, values));
      found = await checkouts.breaches();
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  return found;
}

async function noticed(tamper: (sql: Sql) => Promise<unknown>): Promise<string[]> {
  return Object.keys(await breachesOf(tamper));
}

const of = (request: CheckoutView) => [request.id];

describe('The invariants of checkouts', () => {
  it('hold', async () => {
    expect(await checkouts.breaches()).toEqual({});
  });

  it('notice a request to be chosen for that has no session', async () => {
    const names = await noticed((sql) =>
      sql('DELETE FROM payments.checkouts WHERE payment_request_id = $1', of(pending)),
    );

    expect(names).toEqual(['what-is-chosen-later-has-a-session']);
  });

  it.each(['checkouts', 'selections'])('notice %s of another tenant', async (table) => {
    const names = await noticed((sql) =>
      sql(
        `UPDATE payments.${table} SET account_id = gen_random_uuid() WHERE payment_request_id = $1`,
        of(session),
      ),
    );

    expect(names).toEqual(['checkouts-share-their-tenant']);
  });

  it('notice a selection that was never offered', async () => {
    const names = await noticed((sql) =>
      sql('UPDATE payments.checkouts SET payment_options = $2 WHERE payment_request_id = $1', [
        session.id,
        [ETHER.uniqueAssetId, EURO.uniqueAssetId],
      ]),
    );

    expect(names).toEqual(['selections-are-among-the-options']);
  });

  it.each([
    ['amount', 'amount = amount + 1'],
    ['decimals', 'decimals = 17'],
    ['currency', `currency = 'EURX'`],
    ['asset', `unique_asset_id = '${EURO.uniqueAssetId}'`],
    ['network', `network = '${OTHER_NETWORK}'`],
  ])('notice a request for another %s than was selected', async (_what, change) => {
    const names = await noticed((sql) =>
      sql(`UPDATE payments.payment_requests SET ${change} WHERE id = $1`, of(session)),
    );

    expect(names).toEqual(['what-is-asked-is-what-was-selected']);
  });

  it('notice a selection that nobody asks for', async () => {
    const names = await noticed((sql) =>
      sql(
        `INSERT INTO payments.selections SELECT $2, unique_asset_id, organization_id, account_id, network, currency,
           decimals, amount, inclusion_grace_seconds, address, tag, rate, rate_sources, rate_at, selected_at
         FROM payments.selections WHERE payment_request_id = $1 LIMIT 1`,
        [session.id, pending.id],
      ),
    );

    expect(names).toEqual(['what-is-asked-is-what-was-selected', 'addresses-serve-one-request']);
  });

  it.each([
    ['one smallest unit more', 'amount = amount + 1'],
    ['one smallest unit less', 'amount = amount - 1'],
    ['what another rate would be', `rate = '2512.30'`],
    ['what no rate would be', 'rate = NULL, rate_sources = NULL, rate_at = NULL'],
  ])('notice an amount of %s', async (_what, change) => {
    const names = await noticed(async (sql) => {
      await sql(
        `UPDATE payments.selections SET ${change} WHERE payment_request_id = $1 AND currency = 'WETH'`,
        of(session),
      );
      await sql(
        `UPDATE payments.payment_requests r SET amount = s.amount FROM payments.selections s
         WHERE s.payment_request_id = r.id AND s.unique_asset_id = r.unique_asset_id AND r.id = $1`,
        of(session),
      );
    });

    expect(names).toEqual(['selected-amounts-are-worth-the-price']);
  });

  it('notice an address that is another request’s', async () => {
    const names = await noticed((sql) =>
      sql(`UPDATE payments.selections SET address = $2 WHERE payment_request_id = $1 AND currency = 'WETH'`, [
        session.id,
        paid.selected!.address.toLowerCase(),
      ]),
    );

    expect(names).toEqual(['addresses-serve-one-request']);
  });

  it('notice a counted transfer past the grace of its own network, though within a longer one', async () => {
    const names = await noticed(async (sql) => {
      await sql(
        `UPDATE payments.payment_requests SET counts_until = expires_at + interval '4 minutes' WHERE id = $1`,
        of(paid),
      );
      await sql(
        `UPDATE payments.transfers SET block_time = r.expires_at + interval '61 seconds'
         FROM payments.payment_requests r WHERE r.id = payment_request_id AND r.id = $1`,
        of(paid),
      );
    });

    expect(names).toEqual(['counted-transfers-pay-the-selection']);
  });

  it('notice a session that waits for its choice past its window, and only 60 seconds later', async () => {
    const closedFor = (seconds: number) => (sql: Sql) =>
      sql(
        `UPDATE payments.payment_requests SET created_at = now() - interval '1 hour',
           expires_at = platform.now() - make_interval(secs => $2), counts_until = platform.now() WHERE id = $1`,
        [pending.id, seconds],
      );

    expect(await noticed(closedFor(59))).toEqual([]);
    expect(await noticed(closedFor(61))).toEqual(['nothing-stays-pending']);
  });
});

describe('The invariant of deadlines, with several networks', () => {
  it.each([
    ['created', 'head_time'],
    ['processing', 'final_time'],
  ])('notices a request that stays %s only when all of them are past it', async (status, time) => {
    const stays = (networks: readonly string[]) => async (sql: Sql) => {
      await sql('UPDATE payments.payment_requests SET status = $2 WHERE id = $1', [session.id, status]);
      await sql(
        `UPDATE payments.chain_cursors SET final_number = 0, ${time} = platform.now() + interval '30 minutes',
           ${time === 'head_time' ? 'final_time = head_time' : 'moved_at = moved_at'} WHERE network = ANY($1)`,
        [networks],
      );
    };
    const noticedAfter = async (...networks: string[]) =>
      (await breachesOf(stays(networks)))['nothing-stays-past-its-deadline'] ?? [];
    const { network } = session.selected!;
    const row = { id: session.id, status };

    expect(await noticedAfter(network)).not.toContainEqual(row);
    expect(await noticedAfter(network, OTHER_NETWORK)).toContainEqual(row);
  });
});
