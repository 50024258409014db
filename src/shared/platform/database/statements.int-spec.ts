import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';

let platform: TestPlatform;
beforeAll(async () => void (platform = await openTestDatabase()));
afterAll(() => platform.close());

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('A row', () => {
  const row = async (columns: string) =>
    (await platform.database.query<Record<string, unknown>>(`SELECT ${columns}`))[0];

  it('has a field in camelCase for each column in snake_case', async () => {
    expect(await row(`1 AS a_b, 2 AS settled_at_block, 3 AS part_0, 4 AS plain`)).toEqual({
      aB: 1,
      settledAtBlock: 2,
      part0: 3,
      plain: 4,
    });
  });

  it('keeps a quoted name, and the names inside of JSON', async () => {
    expect(await row(`1 AS "fooBar", '{"in_json": 1.5}'::jsonb AS kept`)).toEqual({
      fooBar: 1,
      kept: { in_json: 1.5 },
    });
  });

  it('has amounts as bigint, counts as number, and neither of them where it is null', async () => {
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

  it('is refused where a bigint is no safe integer, or an amount has a fraction', async () => {
    const unsafe = await failure(row('9007199254740992::bigint AS counted'));
    const broken = await failure(row('1.5::numeric AS amount'));

    expect([unsafe, broken]).toEqual([expect.any(RangeError), expect.any(SyntaxError)]);
    expect((unsafe as Error).message).toBe(
      'A bigint column contains 9007199254740992, which is not a safe integer.',
    );
    expect(await row('1 AS next')).toEqual({ next: 1 });
  });

  it('is as PostgreSQL has it for readers that only show it', async () => {
    expect(await platform.database.rows('SELECT 1::numeric AS a_b, 2::bigint AS counted')).toEqual([
      { a_b: '1', counted: '2' },
    ]);
  });
});
