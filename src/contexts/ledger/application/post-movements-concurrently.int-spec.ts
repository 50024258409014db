import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { confirmedPayment, receivedDeposit } from '../testing/movements.js';
import { openLedger, type TestLedger } from '../testing/open-ledger.js';

describe('Posting movements at the same time', () => {
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

  it('numbers without gaps on the same and on other scopes, in opposite order', async () => {
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
