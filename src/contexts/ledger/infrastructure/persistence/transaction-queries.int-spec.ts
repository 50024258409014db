import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { readByCursor } from '#shared/kernel/testing/read-by-cursor.js';
import type { TimeRange } from '#shared/kernel/instant.js';
import type { TransactionFilter, TransactionView } from '../../application/transaction-view.js';
import { confirmedPayment } from '../../testing/movements.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';
import { storeTransactions, type StoredTransaction } from '../../testing/stored-transactions.js';
import { TransactionExport } from './transaction-export.js';

const ORGANIZATION = newId<OrganizationId>();
const [SHOP, CAFE] = [newId<AccountId>(), newId<AccountId>()];
const at = (second: number) => new Date(Date.parse('2026-01-31T12:00:00.000Z') + second * 1_000);
let ledger: TestLedger;
let batches: TransactionExport;
let stored: StoredTransaction[];
beforeAll(async () => {
  ledger = await openLedger();
  batches = new TransactionExport(ledger.database);
  const pick = <T>(all: readonly T[], n: number): T => all[n % all.length]!;
  stored = await storeTransactions(
    ledger.database,
    Array.from({ length: 600 }, (_, n) => {
      // Alternates between long sequences of exceptional transactions and of completed payments.
      const isExceptional = n % 200 < 60 ? n % 3 > 0 : n % 50 === 0;
      return {
        organizationId: ORGANIZATION,
        accountId: pick([SHOP, SHOP, CAFE], n),
        type: isExceptional ? pick(['swap', 'refund'] as const, n) : 'payment_in',
        status: isExceptional ? pick(['completed', 'failed', 'processing'] as const, n >> 1) : 'completed',
        referenceId: pick(['a', 'b', null], n >> 2),
        createdAt: at(n >> 2),
      };
    }),
  );
});
// The stored payments have no payment requests, so no invariant is checked.
afterAll(() => ledger.close('any'));

/** Transactions with reference `a` were created at each bound. */
const RANGES: TimeRange[] = [{}, { from: at(12), before: at(126) }, { from: at(21), before: at(21) }];
const FILTERS: TransactionFilter[] = RANGES.flatMap((created) =>
  [undefined, 'payment_in', 'swap', 'refund'].flatMap((type) =>
    [undefined, 'completed', 'failed'].flatMap((status) =>
      [undefined, 'a'].map((referenceId) => ({ created, type, status, referenceId }) as TransactionFilter),
    ),
  ),
);

/** Filters all stored transactions in memory, newest first. */
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
  ['an account', SHOP, FILTERS.filter((_, n) => n % 3 === 0)],
] as const)('The list of transactions of %s', (_, accountId, filters) => {
  const scope = { organizationId: ORGANIZATION, accountId };

  it('matches each combination of filters on every page, with the exact total', async () => {
    for (const filter of filters) {
      const expected = matching(accountId, filter);
      const lastPage = Math.max(1, Math.ceil(expected.length / 50));
      for (const page of [...new Set([1, lastPage]), lastPage + 1, 2 ** 31 - 1])
        expect({ filter, page, ...(await read(scope, filter, page)) }).toEqual({
          ...{ filter, page, total: expected.length },
          ids: expected.slice((page - 1) * 50, page * 50),
        });
    }
  });

  it('contains each transaction once if it is read by cursors or in batches', async () => {
    for (const filter of filters) {
      const byCursor = await readByCursor((request) => ledger.queries.page(scope, filter, request), 50);
      const inBatches: string[] = [];
      for await (const batch of batches.read(scope, filter)) inBatches.push(...idsOf(batch));
      const ids = matching(accountId, filter);

      expect({ filter, ids: idsOf(byCursor), inBatches }).toEqual({ filter, ids, inBatches: ids });
    }
  });
});

const read = async (scope: Parameters<typeof batches.read>[0], filter: TransactionFilter, page = 1) => {
  const { items, total } = await ledger.queries.page(scope, filter, { page, pageSize: 50 });
  return { total, ids: idsOf(items) };
};

describe('The list of transactions', () => {
  it.each([null, SHOP])('is empty for another organization: account %s', async (accountId) => {
    const scope = { organizationId: newId<OrganizationId>(), accountId };
    for (const filter of FILTERS.slice(0, 8)) {
      expect(await read(scope, filter)).toEqual({ total: 0, ids: [] });
      for await (const batch of batches.read(scope, filter)) expect(batch).toEqual([]);
    }
  });

  it('finds one transaction by its id, only in its own scope', async () => {
    const [one] = stored;
    const found = { total: 1, ids: [one!.id] };
    const filter = { id: one!.id, created: {} };
    const own = { organizationId: ORGANIZATION, accountId: one!.accountId };

    expect(await read(own, filter)).toEqual(found);
    for await (const batch of batches.read(own, filter)) expect(idsOf(batch)).toEqual(found.ids);
    for (const other of [
      { ...own, accountId: CAFE },
      { ...own, organizationId: newId<OrganizationId>() },
    ])
      expect(await read(other, filter)).toEqual({ total: 0, ids: [] });
  });

  it('takes one SQL statement', async () => {
    const before = ledger.counted.statements;
    await read({ organizationId: ORGANIZATION, accountId: null }, { created: {} }, 2);

    expect(ledger.counted.statements - before).toBe(1);
  });

  it('excludes from batches the transactions posted after the first batch was read', async () => {
    const organizationId = newId<OrganizationId>();
    const row = { organizationId, accountId: SHOP, type: 'payment_in', status: 'completed' } as const;
    const many = (count: number) =>
      Array.from({ length: count }, () => ({ ...row, referenceId: null, createdAt: at(0) }));
    await storeTransactions(ledger.database, many(1_001));
    const seen = new Set<string>();

    for await (const batch of batches.read({ organizationId, accountId: null }, { created: {} })) {
      idsOf(batch).forEach((id) => seen.add(id));
      await storeTransactions(ledger.database, many(1));
    }

    expect(seen.size).toBe(1_001);
  });

  it('shows exact pages while transactions are posted', async () => {
    const organizationId = newId<OrganizationId>();
    const payments = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 7 }, (_, n) =>
        confirmedPayment({ organizationId, referenceId: `${batch * 7 + n + 1}` }),
      ),
    );
    await ledger.happen(payments.flat());
    let isPosting = true;
    const posted = (async () => {
      for (const batch of payments) await ledger.post(batch);
    })().finally(() => (isPosting = false));

    const totals = new Set<number>();
    while (isPosting) {
      const scope = { organizationId, accountId: null };
      const page = await ledger.queries.page(scope, { created: {} }, { page: 2, pageSize: 10 });
      totals.add(page.total);
      const newest = page.total - 10;
      expect(page.items.map(({ referenceId }) => referenceId)).toEqual(
        Array.from({ length: Math.max(0, Math.min(10, newest)) }, (_, n) => `${newest - n}`),
      );
    }
    await posted;

    expect([...totals].every((total) => total % 7 === 0)).toBe(true);
    expect(totals.size).toBeGreaterThan(3);
  });
});
