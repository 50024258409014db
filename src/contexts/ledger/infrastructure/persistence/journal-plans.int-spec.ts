import { describe, expect, it } from '@jest/globals';
import { fillTransactions } from '#test/evidence/fill-transactions.js';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { newId } from '#shared/kernel/ids.js';
import { JOURNAL_QUERIES } from './journal-lines.sql.js';
import { STATEMENT_QUERIES } from './statements.sql.js';

const SIZE = 20_000;
const [ORGANIZATION, ACCOUNT, SMALL] = [newId<string>(), newId<string>(), newId<string>()];

/** Gives one transaction in a hundred to the small account. */
const database = new PlanDatabase(async (filled) => {
  await filled.query(fillTransactions(ORGANIZATION, ACCOUNT, SIZE));
  await filled.query(`
    INSERT INTO ledger.sequences SELECT '${SMALL}', organization_id, '${SMALL}', last / 100, last_created_at
      FROM ledger.sequences WHERE scope_id = '${ACCOUNT}';
    UPDATE ledger.transactions SET account_id = '${SMALL}', account_sequence = organization_sequence / 100
      WHERE organization_sequence % 100 = 0;
    INSERT INTO ledger.entries (transaction_id, line, organization_id, account_id, ledger_account, unique_asset_id, amount)
      SELECT t.id, n, t.organization_id, t.account_id, 'custody', t.unique_asset_id, n * 2 - 3
      FROM ledger.transactions t, generate_series(1, 2) n;
    INSERT INTO payments.checkouts (payment_request_id, organization_id, account_id, session_id, amount, coin_code, payment_options,
        merchant, created_at)
      SELECT payment_request_id, organization_id, account_id, md5(id::text), '25', 'USD', ARRAY[unique_asset_id], '{}', created_at
      FROM ledger.transactions;
    INSERT INTO payments.selections (payment_request_id, unique_asset_id, organization_id, account_id, network, currency, decimals,
        amount, inclusion_grace_seconds, address, rate, rate_sources, rate_at, selected_at)
      SELECT payment_request_id, unique_asset_id, organization_id, account_id, network, currency, decimals, gross_amount, 0,
        to_address, '1', '{peg}', created_at, created_at
      FROM ledger.transactions;`);
  await filled.query('VACUUM ANALYZE');
});

const TYPES = ['uuid', 'uuid', 'date', 'bigint', 'bigint', 'bigint'];
const BATCH = 50;
const OF_SMALL = [`'${SMALL}'`, `'${ORGANIZATION}'`, `'2026-01-01'`, '20', `${SIZE / 100}`, `${BATCH}`];
const OF_ALL = [`'${ORGANIZATION}'`, `'${ORGANIZATION}'`, `'2026-01-01'`, '2000', `${SIZE}`, `${BATCH}`];

describe.each(PLANS)('The query of a journal batch (%s)', (mode) => {
  it.each([
    ['the journal of a small account', JOURNAL_QUERIES.account.records, OF_SMALL],
    ['the statement of a small account', STATEMENT_QUERIES.account.records, OF_SMALL],
    ['the journal of an organization', JOURNAL_QUERIES.organization.records, OF_ALL],
    ['the statement of an organization', STATEMENT_QUERIES.organization.records, OF_ALL],
  ])('reads only the batch and its entries for %s', async (_, text, values) => {
    const { scans } = await executed(database.client, text, TYPES, values, mode);

    expect(scans.filter(({ rows }) => rows > 2 * BATCH)).toEqual([]);
  });
});

describe('The journal of an organization', () => {
  it('begins a month at midnight UTC in any time zone of the database session', async () => {
    const { client } = database;
    await client.query(`SET timezone = 'America/New_York'`);
    const { rows } = await client.query<{ low: string }>(JOURNAL_QUERIES.organization.bounds, [
      ORGANIZATION,
      ORGANIZATION,
      '2026-01-01',
    ]);
    await client.query('RESET timezone');

    expect(rows.map(({ low }) => Number(low))).toEqual([0]);
  });
});
