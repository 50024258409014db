import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import { openLedger, type TestLedger } from '../../testing/open-ledger.js';
import { PAGES } from './transaction-pages.sql.js';

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
    ['organization', PAGES.organization.whole, organization],
    ['account', PAGES.account.whole, account],
  ])(
    'reads no more than the page of an %s, before and after the tables were analysed',
    async (name, text, scope) => {
      await client.query(`PREPARE page_of_${name} (uuid, uuid, bigint, bigint, bigint) AS ${text}`);
      for (const analysed of [false, true]) {
        if (analysed) await client.query('ANALYZE ledger.transactions, ledger.sequences');
        for (const mode of ['force_generic_plan', 'force_custom_plan']) {
          await client.query(`SET plan_cache_mode = ${mode}`);
          for (const where of [`${Number.MAX_SAFE_INTEGER}, 100, 15000`, '5001, 100, 0']) {
            const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
              `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE page_of_${name} ('${scope}', '${organization}', ${where})`,
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

/** Swaps, since nothing makes these and so they need no fact that they are posted for. */
async function seed(client: pg.Client, organization: string, account: string, count: number): Promise<void> {
  const ids = `SELECT n, md5(n::text)::uuid AS id FROM generate_series(1, ${count}) n`;
  await client.query(`
    BEGIN;
    INSERT INTO ledger.entries (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount)
      SELECT id, line, '${organization}', '${account}', ledger_account, 'usdc', amount FROM (${ids}) t,
        (VALUES (1, 'service_fees', 5), (2, 'merchant_payable', -5)) l (line, ledger_account, amount);
    INSERT INTO ledger.balances SELECT organization_id, account_id, ledger_account, unique_asset_id, sum(amount)
      FROM ledger.entries GROUP BY 1, 2, 3, 4;
    INSERT INTO ledger.sequences VALUES ('${organization}', '${organization}', NULL, ${count}, platform.now()),
      ('${account}', '${organization}', '${account}', ${count}, platform.now());
    INSERT INTO ledger.transactions (id, organization_id, account_id, organization_sequence, account_sequence, type,
        status, gross_amount, net_amount, expected_amount, decimals, currency, from_address, from_type, to_address,
        to_type, financial_provider, created_at, updated_at)
      SELECT id, '${organization}', '${account}', n, n, 'swap', 'completed', 5, 5, 5, 6, 'USDC', 'a', 'wallet', 'b',
        'vault', 'onchain', platform.now(), platform.now() FROM (${ids}) t;
    COMMIT;`);
}
