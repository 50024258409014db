import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { executed, PLANS } from '#test/support/plans.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { formatCursor, type PageRequest } from '../../kernel/page.js';
import { readByCursor } from '../../kernel/testing/read-by-cursor.js';
import { ListOrder } from './list-order.js';
import type { PageRow } from './rows.js';

interface Entry {
  readonly id: string;
  readonly createdAt: Date;
}

let platform: TestPlatform;
let client: pg.Client;
beforeAll(async () => {
  platform = await openTestDatabase();
  client = new pg.Client({ connectionString: platform.url });
  await client.connect();
  await platform.database.query(
    `CREATE TABLE public.entries (id uuid PRIMARY KEY, created_at timestamptz NOT NULL, status text NOT NULL)`,
  );
  await platform.database.query('CREATE INDEX entries_in_order ON public.entries (created_at, id)');
});
afterAll(async () => {
  await client.end();
  await platform.database.query('DROP TABLE public.entries');
  await platform.close();
});
beforeEach(async () => {
  await platform.database.query('DELETE FROM public.entries');
});

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`;
const numberOf = (id: string) => Number(id.slice(-12));

/** Adds entries so that always four of them have the same time. */
function add(from: number, to: number) {
  return platform.database.query(
    `INSERT INTO public.entries SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       '2026-01-01T00:00:00Z'::timestamptz + (n / 4) * interval '1 millisecond', 'pending' FROM generate_series($1::int, $2::int) n`,
    [from, to],
  );
}

const ORDERS = (['ASC', 'DESC'] as const).flatMap((direction) => [
  new ListOrder(direction, [{ column: 'id', kind: 'id' }]),
  new ListOrder(direction, [
    { column: 'created_at', kind: 'time' },
    { column: 'id', kind: 'id' },
  ]),
]);

const textOf = (order: ListOrder) => `
  WITH visible AS NOT MATERIALIZED (SELECT * FROM public.entries WHERE status = 'pending')
  SELECT counted.total, e.* FROM (SELECT count(*)::int AS total FROM visible) counted
  LEFT JOIN (SELECT id, created_at FROM visible WHERE ${order.pagingSql(1)}) e ON true ORDER BY ${order.orderBySql('e')}`;

async function page(order: ListOrder, request: PageRequest) {
  const rows = await platform.database.query<PageRow<Entry>>(textOf(order), order.parameters(request));
  return order.page(rows, request, ({ id }) => numberOf(id));
}

describe.each(ORDERS.map((order) => [order.orderBySql(), order] as const))(
  'A list ordered by %s',
  (by, order) => {
    const inOrder = (numbers: number[]) => (by.endsWith('ASC') ? numbers : numbers.reverse());
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

    it('has each item on one page, for pages of any size', async () => {
      await add(11, 30);

      for (const size of [1, 19, 20, 21])
        expect(await readByCursor((request) => page(order, request), size)).toEqual(inOrder(numbers(11, 30)));
    });

    it('has each remaining item once while others are created, changed and deleted', async () => {
      await add(11, 30);
      let round = 0;
      const change = async () => {
        round += 1;
        await add(100 + round, 100 + round);
        await add(round, round);
        await platform.database.query(`UPDATE public.entries SET status = 'done' WHERE id = $1`, [
          idOf(10 + round),
        ]);
        await platform.database.query('DELETE FROM public.entries WHERE id = $1', [idOf(31 - round)]);
      };

      const read = await readByCursor((request) => page(order, request), 4, change);

      const staying = numbers(11, 30).filter((n) => n > 10 + round && n < 31 - round);
      expect(staying.length).toBeGreaterThan(5);
      expect(read.filter((n) => staying.includes(n))).toEqual(inOrder(staying));
      expect(new Set(read).size).toBe(read.length);
    });

    it.each(PLANS)('reads no more rows for a deep page: %s', async (mode) => {
      await add(1, 20_000);
      await platform.database.query('ANALYZE public.entries');
      const id = `'${idOf(10_000)}'`;
      const key = by.startsWith('id') ? [id] : [`'2026-01-01T00:00:02.500Z'`, id];
      const types = [...key.slice(1).map(() => 'timestamptz'), 'uuid', 'bigint', 'bigint'];
      const rows = `SELECT id FROM public.entries WHERE ${order.pagingSql(1)}`;

      const { scans } = await executed(client, rows, types, [...key, '51', '0'], mode);

      expect(scans).toEqual([expect.objectContaining({ rows: 51, index: expect.any(String) })]);
    });
  },
);

describe('A numbered page of a list', () => {
  it('has a next cursor, and is rejected after a cursor of another list', async () => {
    const [, byTime] = ORDERS as [ListOrder, ListOrder];
    await add(1, 5);

    const [second, third] = [
      await page(byTime, { page: 2, pageSize: 2 }),
      await page(byTime, { page: 3, pageSize: 2 }),
    ];

    expect([second.items, second.total, third.items, third.next]).toEqual([[3, 4], 5, [5], undefined]);
    expect((await page(byTime, { page: 1, pageSize: 2, after: second.next })).items).toEqual([5]);
    for (const key of [[idOf(1)], ['today', idOf(1)], ['1767225600000', 'none']])
      await expect(page(byTime, { page: 1, pageSize: 2, after: formatCursor(key) })).rejects.toMatchObject({
        errors: [{ field: 'after' }],
      });
  });
});
