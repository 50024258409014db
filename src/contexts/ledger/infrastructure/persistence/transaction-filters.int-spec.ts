import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import type { TimeRange } from '#shared/kernel/time-range.js';
import { ExportedTransactions } from './exported-transactions.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';
import { storedTransactions, type StoredTransaction } from '../../testing/stored-transactions.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';

const ORGANIZATION = newId<OrganizationId>();
const SHOP = newId<AccountId>();
const CAFE = newId<AccountId>();
const START = Date.parse('2026-01-31T12:00:00.000Z');
const at = (second: number) => new Date(START + second * 1_000);

let ledger: TestLedger;
let batches: ExportedTransactions;
let stored: StoredTransaction[];

beforeAll(async () => {
  ledger = await openLedger();
  batches = new ExportedTransactions(ledger.database);
  const random = new SeededRandom(3);
  const pick = <T>(all: readonly T[]): T => all[random.whole(0, all.length - 1)]!;
  stored = await storedTransactions(
    ledger.database,
    Array.from({ length: 1_200 }, (_, n) => {
      // Runs of exceptions, and of payments alone.
      const isExceptional = random.chance(n % 200 < 60 ? 0.7 : 0.02);
      return {
        organizationId: ORGANIZATION,
        accountId: pick([SHOP, SHOP, CAFE]),
        type: isExceptional ? pick(['swap', 'refund'] as const) : 'payment_in',
        status: isExceptional ? pick(['completed', 'failed', 'processing'] as const) : 'completed',
        referenceId: pick(['a', 'b', null]),
        createdAt: at(n >> 2),
      };
    }),
  );
});

// Payments of nothing that was ever asked for.
afterAll(() => ledger.close('any'));

const RANGES: TimeRange[] = [
  {},
  { from: at(20), before: at(250) },
  { from: at(299) },
  // Exceptions are the newest.
  { before: at(104) },
  { from: at(20), before: at(20) },
];
const FILTERS: TransactionFilter[] = RANGES.flatMap((created) =>
  [undefined, 'payment_in', 'swap', 'refund'].flatMap((type) =>
    [undefined, 'completed', 'failed', 'processing'].flatMap((status) =>
      [undefined, 'a'].map((referenceId) => ({ created, type, status, referenceId }) as TransactionFilter),
    ),
  ),
);

/** The filter applied in memory to all stored transactions. */
function matching(accountId: AccountId | null, { type, status, referenceId, created }: TransactionFilter) {
  return stored
    .filter(
      (each) =>
        (accountId ?? each.accountId) === each.accountId &&
        (type ?? each.type) === each.type &&
        (status ?? each.status) === each.status &&
        (referenceId ?? each.referenceId) === each.referenceId &&
        each.createdAt >= (created.from ?? at(0)) &&
        each.createdAt < (created.before ?? at(1_000)),
    )
    .map(({ id }) => id)
    .reverse();
}

const idsOf = (views: readonly TransactionView[]) => views.map(({ id }) => id);

describe.each([
  ['an organization', null, FILTERS],
  // A third, with each value beside each other one: the same conditions under another scope.
  ['an account', SHOP, FILTERS.filter((_, n) => n % 3 === 0)],
] as const)('The transactions of %s', (_, accountId, filters) => {
  const scope = { organizationId: ORGANIZATION, accountId };

  it('are found by combinations of filters, on every page, with the exact number', async () => {
    for (const filter of filters) {
      const expected = matching(accountId, filter);
      const lastPage = Math.max(1, Math.ceil(expected.length / 50));
      for (const page of new Set([1, Math.ceil(lastPage / 2), lastPage, lastPage + 1])) {
        const { items, total } = await ledger.queries.page(scope, filter, { page, pageSize: 50 });

        expect({ filter, page, total, ids: idsOf(items) }).toEqual({
          filter,
          page,
          total: expected.length,
          ids: expected.slice((page - 1) * 50, page * 50),
        });
      }
    }
  });

  it('are each on one page by cursors, by combinations of filters', async () => {
    for (const filter of filters) {
      const read = await readByCursor((request) => ledger.queries.page(scope, filter, request), 50);

      expect({ filter, ids: idsOf(read) }).toEqual({ filter, ids: matching(accountId, filter) });
    }
  });

  it('are read whole in batches by combinations of filters', async () => {
    for (const filter of filters) {
      const ids: string[] = [];
      for await (const batch of batches.read(scope, filter)) ids.push(...idsOf(batch));

      expect({ filter, ids }).toEqual({ filter, ids: matching(accountId, filter) });
    }
  });
});

describe('The transactions of a stranger', () => {
  it.each([
    ['another organization', { organizationId: newId<OrganizationId>(), accountId: null }],
    ['an account under another organization', { organizationId: newId<OrganizationId>(), accountId: SHOP }],
  ])('are none, by whatever filter: %s', async (_, scope) => {
    for (const filter of FILTERS.slice(0, 30)) {
      const read = batches.read(scope, filter);

      expect(await ledger.queries.page(scope, filter, { page: 1, pageSize: 50 })).toEqual({
        items: [],
        total: 0,
      });
      for await (const batch of read) expect(batch).toEqual([]);
    }
  });
});

describe('Transactions posted while others are read in batches', () => {
  it('are not among them: all are of the moment of the first', async () => {
    const organizationId = newId<OrganizationId>();
    const row = { organizationId, accountId: SHOP, type: 'payment_in', status: 'completed' } as const;
    const many = (count: number) =>
      Array.from({ length: count }, () => ({ ...row, referenceId: null, createdAt: at(0) }));
    await storedTransactions(ledger.database, many(1_001));
    const seen = new Set<string>();

    for await (const batch of batches.read({ organizationId, accountId: null }, { created: {} })) {
      idsOf(batch).forEach((id) => seen.add(id));
      await storedTransactions(ledger.database, many(1));
    }

    expect(seen.size).toBe(1_001);
  });
});
