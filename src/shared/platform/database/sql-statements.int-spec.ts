import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

describe('A row of a query', () => {
  const row = async (columns: string) =>
    (await platform.database.query<Record<string, unknown>>(`SELECT ${columns}`))[0];

  it('has a camelCase field for each snake_case column, and keeps quoted names and names inside JSON', async () => {
    expect(
      await row(
        `1 AS a_b, 2 AS settled_at_block, 3 AS part_0, 4 AS "fooBar", '{"in_json": 1.5}'::jsonb AS kept`,
      ),
    ).toEqual({ aB: 1, settledAtBlock: 2, part0: 3, fooBar: 4, kept: { in_json: 1.5 } });
  });

  it('has amounts as bigint and counts as number, or null', async () => {
    expect(
      await row(`115792089237316195423570985008687907853269984665640564039457584007913129639935::numeric AS amount,
        count(*) AS counted, 9007199254740991::bigint AS most, NULL::numeric AS no_amount, NULL::bigint AS no_count`),
    ).toEqual({
      amount: 2n ** 256n - 1n,
      counted: 1,
      most: Number.MAX_SAFE_INTEGER,
      noAmount: null,
      noCount: null,
    });
  });

  it('rejects an unsafe bigint and an amount with a fraction', async () => {
    await expect(row('9007199254740992::bigint AS counted')).rejects.toThrow(RangeError);
    await expect(row('1.5::numeric AS amount')).rejects.toThrow(SyntaxError);
    expect(await row('1 AS next')).toEqual({ next: 1 });
  });

  it('keeps the names and texts of PostgreSQL if it is only displayed', async () => {
    expect(await platform.database.rows('SELECT 1::numeric AS a_b, 2::bigint AS counted')).toEqual([
      { a_b: '1', counted: '2' },
    ]);
  });
});
