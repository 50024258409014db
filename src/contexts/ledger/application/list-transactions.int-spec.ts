import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId, type AccountId, type OrganizationId } from '../../../shared/kernel/ids.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import {
  PAGE_OF_ACCOUNT,
  PAGE_OF_ORGANIZATION,
} from '../infrastructure/persistence/postgres-transaction-queries.js';
import { confirmedPayment } from '../testing/confirmed-payment.js';
import { openLedger, type TestLedger } from '../testing/open-ledger.js';
import { ListTransactions } from './list-transactions.js';

const ORGANIZATION = newId<OrganizationId>();
const SHOP = newId<AccountId>();
const CAFE = newId<AccountId>();

class AccountsOfOrganization extends AccountDirectory {
  override async belongsTo(account: AccountId, organization: OrganizationId): Promise<boolean> {
    return organization === ORGANIZATION && (account === SHOP || account === CAFE);
  }
}

describe('Listing transactions', () => {
  let ledger: TestLedger;
  let list: ListTransactions;
  beforeAll(async () => {
    ledger = await openLedger();
    list = new ListTransactions(ledger.queries, new AccountsOfOrganization());
    const payments = Array.from({ length: 12 }, (_, n) =>
      confirmedPayment({
        organizationId: ORGANIZATION,
        accountId: n % 3 === 0 ? CAFE : SHOP,
        referenceId: `${n}`,
      }),
    );
    payments.push(confirmedPayment({ referenceId: 'a stranger' }));
    await ledger.confirm(payments);
    await ledger.post(payments);
  });
  afterAll(async () => {
    try {
      expect(await ledger.breaches()).toEqual({});
    } finally {
      await ledger.close();
    }
  });

  const page = async (input: Parameters<ListTransactions['execute']>[0]) => {
    const { items, total } = await list.execute(input);
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
    await expect(list.execute({ scope, account, page: 1, pageSize: 5 })).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'account_not_allowed',
    });
  });

  it('takes one statement', async () => {
    const before = ledger.counted.statements;

    await list.execute({ scope: organizationKey, page: 2, pageSize: 5 });

    expect(ledger.counted.statements - before).toBe(1);
  });

  it('answers exact pages while posting goes on', async () => {
    const organizationId = newId<OrganizationId>();
    const batches = Array.from({ length: 40 }, (_, batch) =>
      Array.from({ length: 7 }, (_, n) =>
        confirmedPayment({ organizationId, referenceId: `${batch * 7 + n + 1}` }),
      ),
    );
    await ledger.confirm(batches.flat());
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

describe('The plan of a deep page among 20,000 transactions', () => {
  const organization = newId<OrganizationId>();
  const account = newId<AccountId>();
  let ledger: TestLedger;
  let client: pg.Client;
  beforeAll(async () => {
    ledger = await openLedger();
    client = new pg.Client({ connectionString: ledger.url });
    await client.connect();
    await seed(client, organization, account, 20_000);
  });
  afterAll(async () => {
    await client.end();
    try {
      expect(await ledger.breaches()).toEqual({});
    } finally {
      await ledger.close();
    }
  });

  it.each([
    ['organization', PAGE_OF_ORGANIZATION, organization],
    ['account', PAGE_OF_ACCOUNT, account],
  ])(
    'reads no more than the page of an %s, before and after the tables were analysed',
    async (name, text, scope) => {
      await client.query(`PREPARE page_of_${name} (uuid, uuid, bigint, bigint) AS ${text}`);
      for (const analysed of [false, true]) {
        if (analysed) await client.query('ANALYZE ledger.transactions, ledger.sequences');
        for (const mode of ['force_generic_plan', 'force_custom_plan']) {
          await client.query(`SET plan_cache_mode = ${mode}`);
          const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
            `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page_of_${name} ('${scope}', '${organization}', 15000, 100)`,
          );
          const scans = scansOf(rows[0]!['QUERY PLAN'][0].Plan).filter(
            (scan) => scan['Relation Name'] === 'transactions',
          );

          expect(scans).toHaveLength(1);
          expect(scans[0]).toMatchObject({
            'Node Type': expect.stringContaining('Index Scan'),
            'Index Name': `transactions_of_${name}`,
            'Actual Rows': 100,
          });
          expect(scans[0]!['Rows Removed by Filter'] ?? 0).toBe(0);
          expect(scans[0]!['Index Cond']).toContain(`${name}_sequence <=`);
          expect(scans[0]!['Index Cond']).toContain(`${name}_sequence >`);
        }
      }
    },
  );
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

function scansOf(plan: Plan): Plan[] {
  return [...(plan['Relation Name'] ? [plan] : []), ...(plan.Plans ?? []).flatMap(scansOf)];
}

/** Deposits, since these need no payment request. */
async function seed(client: pg.Client, organization: string, account: string, count: number): Promise<void> {
  const ids = `SELECT n, md5(n::text)::uuid AS id FROM generate_series(1, ${count}) n`;
  await client.query(`
    BEGIN;
    INSERT INTO ledger.entries (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount)
      SELECT id, line, '${organization}', '${account}', ledger_account, 'usdc', amount FROM (${ids}) t,
        (VALUES (1, 'custody', 5), (2, 'merchant_payable', -5)) l (line, ledger_account, amount);
    INSERT INTO ledger.balances SELECT organization_id, account_id, ledger_account, unique_asset_id, sum(amount)
      FROM ledger.entries GROUP BY 1, 2, 3, 4;
    INSERT INTO ledger.sequences VALUES ('${organization}', '${organization}', NULL, ${count}, platform.now()),
      ('${account}', '${organization}', '${account}', ${count}, platform.now());
    INSERT INTO ledger.transactions (id, organization_id, account_id, organization_sequence, account_sequence, type,
        status, gross_amount, net_amount, expected_amount, decimals, currency, from_address, from_type, to_address,
        to_type, financial_provider, created_at, updated_at)
      SELECT id, '${organization}', '${account}', n, n, 'deposit', 'completed', 5, 5, 5, 6, 'USDC', 'a', 'wallet', 'b',
        'vault', 'onchain', platform.now(), platform.now() FROM (${ids}) t;
    COMMIT;`);
}
