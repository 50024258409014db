import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type { PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { confirmedPayment } from '../../testing/movements.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';

const ORGANIZATION = newId<OrganizationId>();
const SHOP = newId<AccountId>();
const CAFE = newId<AccountId>();

interface Listing extends PageRequest {
  readonly scope: Scope;
  readonly account?: string;
}

class AccountsOfOrganization extends AccountDirectory {
  override async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    return organization === ORGANIZATION && (account === SHOP || account === CAFE);
  }
}

describe('Listing transactions', () => {
  let ledger: TestLedger;
  const accounts = new AccountsOfOrganization();
  beforeAll(async () => {
    ledger = await openLedger();
    const payments = Array.from({ length: 12 }, (_, n) =>
      confirmedPayment({
        organizationId: ORGANIZATION,
        accountId: n % 3 === 0 ? CAFE : SHOP,
        referenceId: `${n}`,
      }),
    );
    payments.push(confirmedPayment({ referenceId: 'a stranger' }));
    await ledger.happen(payments);
    await ledger.post(payments);
  });
  afterAll(async () => {
    try {
      expect(await ledger.breaches()).toEqual({});
    } finally {
      await ledger.close();
    }
  });

  const page = async ({ scope, account, ...request }: Listing) => {
    const narrowed = await accounts.narrowIfNamed(scope, account);
    const { items, total } = await ledger.queries.page(narrowed, { created: {} }, request);
    return { references: items.map(({ referenceId }) => referenceId), total };
  };
  const organizationKey = { organizationId: ORGANIZATION, accountId: null };

  it('shows an organization all its own, newest first', async () => {
    expect(await page({ scope: organizationKey, page: 1, pageSize: 5 })).toEqual({
      references: ['11', '10', '9', '8', '7'],
      total: 12,
    });
    expect(await page({ scope: organizationKey, page: 3, pageSize: 5 })).toEqual({
      references: ['1', '0'],
      total: 12,
    });
  });

  it.each([4, 1_000, 2 ** 31 - 1])(
    'is empty past the end, on page %d, with the exact total',
    async (number) => {
      expect(await page({ scope: organizationKey, page: number, pageSize: 5 })).toEqual({
        references: [],
        total: 12,
      });
    },
  );

  it('is empty for a scope without transactions', async () => {
    const scope = { organizationId: newId<OrganizationId>(), accountId: null };

    expect(await page({ scope, page: 1, pageSize: 5 })).toEqual({ references: [], total: 0 });
  });

  it('shows one account alone, to its own key and to its organization on demand, however the id is spelled', async () => {
    const cafe = { references: ['9', '6', '3', '0'], total: 4 };

    expect(
      await page({ scope: { organizationId: ORGANIZATION, accountId: CAFE }, page: 1, pageSize: 5 }),
    ).toEqual(cafe);
    expect(await page({ scope: organizationKey, account: CAFE, page: 1, pageSize: 5 })).toEqual(cafe);
    expect(await page({ scope: organizationKey, account: CAFE.toUpperCase(), page: 1, pageSize: 5 })).toEqual(
      cafe,
    );
  });

  it('shows nothing of an account under an organization that is not its own', async () => {
    const scope = { organizationId: newId<OrganizationId>(), accountId: CAFE };

    expect(await page({ scope, page: 1, pageSize: 5 })).toEqual({ references: [], total: 0 });
  });

  it.each([
    ['a foreign or missing account', organizationKey, newId<AccountId>()],
    ['text that is no id', organizationKey, 'everything'],
    ['nothing', organizationKey, ''],
    ['its own account, by an account key', { organizationId: ORGANIZATION, accountId: SHOP }, SHOP],
    ['a sister account, by an account key', { organizationId: ORGANIZATION, accountId: SHOP }, CAFE],
  ])('refuses %s as accountID', async (_, scope, account) => {
    await expect(page({ scope, account, page: 1, pageSize: 5 })).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'account_not_allowed',
    });
  });

  it('takes one statement', async () => {
    const before = ledger.counted.statements;

    await page({ scope: organizationKey, page: 2, pageSize: 5 });

    expect(ledger.counted.statements - before).toBe(1);
  });

  it('answers exact pages while posting goes on', async () => {
    const organizationId = newId<OrganizationId>();
    const batches = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 7 }, (_, n) =>
        confirmedPayment({ organizationId, referenceId: `${batch * 7 + n + 1}` }),
      ),
    );
    await ledger.happen(batches.flat());
    let posting = true;
    const posted = (async () => {
      for (const batch of batches) await ledger.post(batch);
    })().finally(() => (posting = false));

    const totals = new Set<number>();
    while (posting) {
      const { references, total } = await page({
        scope: { organizationId, accountId: null },
        page: 2,
        pageSize: 10,
      });
      totals.add(total);
      const newest = total - 10;
      expect(references).toEqual(
        Array.from({ length: Math.max(0, Math.min(10, newest)) }, (_, n) => `${newest - n}`),
      );
    }
    await posted;

    expect([...totals].every((total) => total % 7 === 0)).toBe(true);
    expect(totals.size).toBeGreaterThan(3);
  });
});
