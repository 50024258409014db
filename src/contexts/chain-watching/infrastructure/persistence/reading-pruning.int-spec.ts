import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PostgresNativeBalances } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { PostgresWatchedChains } from './postgres-watched-chains.js';

const DAY = 86_400;

let platform: TestPlatform;
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

describe('The pruning of read blocks', () => {
  let chain: PostgresWatchedChains;
  beforeEach(async () => {
    chain = new PostgresWatchedChains(platform.database, new Leases(platform.database));
    // Of the second network nothing is final yet.
    for (const [network, head, final] of [
      ['erc20', 30, 20],
      ['polygon', 20, null],
    ] as const) {
      await platform.database.query(
        `INSERT INTO payments.blocks (network, number, hash, parent_hash, time)
         SELECT $1, n, n::text, (n - 1)::text, '2026-01-01'::timestamptz FROM generate_series(1, $2::bigint) n`,
        [network, head],
      );
      await platform.database.query(
        `INSERT INTO payments.chain_cursors (network, head_number, head_hash, head_time, final_number, final_time)
         VALUES ($1, $2::bigint, $2::bigint::text, '2026-01-01', $3::bigint,
           CASE WHEN $3::bigint IS NOT NULL THEN '2026-01-01'::timestamptz END)`,
        [network, head, final],
      );
    }
  });

  const lowest = async () =>
    (
      await platform.database.query<{ lowest: number }>(
        'SELECT min(number) AS lowest FROM payments.blocks GROUP BY network ORDER BY network',
      )
    ).map((row) => row.lowest);

  it('removes blocks below the kept depth of every network in steps', async () => {
    const steps = [await chain.pruneBlocks(15, 6), await chain.pruneBlocks(15, 6)];

    // Blocks 1 to 4 of each.
    expect([steps, await chain.pruneBlocks(15, 6)]).toEqual([[6, 2], 0]);
    expect(await lowest()).toEqual([5, 5]);
  });

  it('removes no recent block', async () => {
    expect([await chain.pruneBlocks(5_000, 6), await lowest()]).toEqual([0, [1, 1]]);
  });
});

describe('The pruning of compared balances', () => {
  const balances = () => new PostgresNativeBalances(platform.database);
  const looks = async () =>
    (
      await platform.database.query<{ address: string }>(
        'SELECT address FROM payments.balance_looks ORDER BY address',
      )
    ).map(({ address }) => address);
  const look = (address: string, isAsked: boolean) =>
    platform.database.query(
      `INSERT INTO payments.balance_looks (network, address, asked_at, compared_at)
       VALUES ('erc20', $1, CASE WHEN $2 THEN platform.now() END, platform.now())`,
      [address, isAsked],
    );

  it('keeps balances that are due again or recent, and removes the others in steps', async () => {
    await look('0x1', false);
    await look('0x2', false);
    await look('0x3', true);
    await platform.advance(6 * DAY);
    await look('0x4', false);
    const early = await balances().pruneCompared(7, 1);
    await platform.advance(DAY);

    const steps = [await balances().pruneCompared(7, 1), await looks(), await balances().pruneCompared(7, 1)];

    expect(early).toBe(0);
    expect(steps).toEqual([1, ['0x2', '0x3', '0x4'], 1]);
    expect([await balances().pruneCompared(7, 1), await looks()]).toEqual([0, ['0x3', '0x4']]);
  });
});
