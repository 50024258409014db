import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '#test/support/eventually.js';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { ConfirmedPayment } from '../domain/payment-in.js';
import { confirmedPayment, receivedDeposit } from '../testing/movements.js';
import { openLedger, type TestLedger } from '../testing/open-ledger.js';

describe('Concurrent posting', () => {
  let ledger: TestLedger;
  beforeEach(async () => {
    ledger = await openLedger();
  });
  // Also checks every invariant on what the test has left.
  afterEach(() => ledger.close());

  const rows = (sql: string) => ledger.database.query(sql);

  it.each([
    ['payment', confirmedPayment()],
    ['deposit', receivedDeposit()],
  ])('posts a %s once', async (_, movement) => {
    await ledger.happen([movement]);

    const outcomes = await Promise.allSettled([1, 2, 3].map(() => ledger.post([movement])));

    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await rows('SELECT count(*) FROM ledger.transactions')).toEqual([{ count: 1 }]);
  });

  it.each([
    ['balances', `SELECT FROM ledger.balances WHERE ledger_account = 'custody' AND account_id`, 'accountId'],
    ['sequences of organizations', 'SELECT FROM ledger.sequences WHERE scope_id', 'organizationId'],
    ['sequences of accounts', 'SELECT FROM ledger.sequences WHERE scope_id', 'accountId'],
  ] as const)('locks %s in the order of their ids', async (_, row, id) => {
    const ids = (): string[] => Array.from({ length: 8 }, () => newId<string>()).sort();
    const [organizations, accounts] = [ids(), ids()];
    const ofAll = () =>
      organizations.map((organizationId, n) =>
        confirmedPayment({
          organizationId: organizationId as OrganizationId,
          accountId: accounts[n] as AccountId,
        }),
      );
    const [before, later] = [ofAll(), ofAll().reverse()];
    await ledger.happen([...before, ...later]);
    await ledger.post(before);
    const [isHeld, isWaited] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lock = (movements: readonly ConfirmedPayment[]) =>
      rows(`${row} IN ('${movements.map((each) => each[id]).join(`', '`)}') FOR UPDATE SKIP LOCKED`);
    const holding = ledger.database.run(async () => {
      await lock(before.slice(0, 1));
      isHeld.resolve();
      await isWaited.promise;
      return lock(before.slice(1));
    });
    await isHeld.promise;
    const posting = ledger.post(later);
    await eventually(
      () =>
        rows(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`),
      ({ length }) => length > 0,
    );
    isWaited.resolve();

    expect(await holding).toHaveLength(7);
    await posting;
  });

  it('numbers transactions without gaps if batches name their scopes in opposite order', async () => {
    const owners = Array.from({ length: 12 }, (_, n) => ({
      organization: n % 3,
      accountId: newId<AccountId>(),
    }));
    const organizations = Array.from({ length: 3 }, () => newId<OrganizationId>());
    const batch = (backward: boolean) => {
      const all = owners.map(({ organization, accountId }) =>
        confirmedPayment({ organizationId: organizations[organization]!, accountId, feeBasisPoints: 10 }),
      );
      return backward ? all.reverse() : all;
    };
    const posters = Array.from({ length: 4 }, (_, n) => Array.from({ length: 15 }, () => batch(n % 2 === 0)));
    await ledger.happen(posters.flat(2));

    await Promise.all(
      posters.map(async (batches) => {
        for (const each of batches) await ledger.post(each);
      }),
    );

    const counters = await rows('SELECT last, count(*) FROM ledger.sequences GROUP BY last ORDER BY last');
    expect(counters).toEqual([
      { last: 60, count: 12 },
      { last: 240, count: 3 },
    ]);
  });
});
