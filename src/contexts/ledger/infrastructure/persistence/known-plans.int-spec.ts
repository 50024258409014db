import { describe, expect, it } from '@jest/globals';
import { fillTransactions } from '#test/evidence/fill-transactions.js';
import { PlanDatabase } from '#test/support/plan-database.js';
import { executed, PLANS } from '#test/support/plans.js';
import { newId } from '#shared/kernel/ids.js';
import { SELECT_PRIOR_POSTINGS } from './prior-postings.js';
import { SELECT_SOURCE_TRANSACTIONS, SELECT_UNSETTLED_FUNDS } from './prior-transactions.js';
import { PAGE_QUERIES } from './transaction-pages.sql.js';

const SIZE = 20_000;
const WITHDRAWALS = SIZE / 5;
const [ORGANIZATION, ACCOUNT] = [newId<string>(), newId<string>()];

const database = new PlanDatabase(async (filled) => {
  await filled.query(fillTransactions(ORGANIZATION, ACCOUNT, SIZE));
  await filled.query(insertFollowedTransactions());
  await filled.query('VACUUM ANALYZE');
});

/**
 * Turns every fifth transaction into a settlement that delivered the previous transaction. Half of these settlements
 * are completed.
 */
function insertFollowedTransactions(): string {
  return `
    BEGIN;
    SET LOCAL session_replication_role = replica;
    UPDATE ledger.transactions SET type = 'withdraw', status = 'processing', source_id = gen_random_uuid(),
      payment_request_id = NULL, transfer_id = NULL, from_type = 'vault', to_type = 'settlement_address'
      WHERE organization_sequence % 5 = 0;
    INSERT INTO ledger.status_changes SELECT id, 2, organization_id, account_id, organization_sequence, account_sequence,
      'completed', created_at FROM ledger.transactions WHERE type = 'withdraw' AND organization_sequence % 10 = 0;
    INSERT INTO ledger.settled_transactions SELECT t.id, w.source_id, w.id, w.organization_id, w.account_id
      FROM ledger.transactions w JOIN ledger.transactions t ON t.organization_id = w.organization_id
        AND t.organization_sequence = w.organization_sequence - 1 WHERE w.type = 'withdraw';
    COMMIT;`;
}

const some = async (column: string, condition: string) =>
  `(ARRAY[${(
    await database.client.query<{ id: string }>(
      `SELECT ${column} AS id FROM ledger.transactions WHERE ${condition} ORDER BY organization_sequence LIMIT 10`,
    )
  ).rows
    .map(({ id }) => `'${id}'`)
    .join(', ')}]::uuid[])`;

describe.each(PLANS)('A query among many transactions (%s)', (mode) => {
  it('reads only the requested movements', async () => {
    const requests = await some('payment_request_id', `type = 'payment_in'`);

    const { scans } = await executed(
      database.client,
      SELECT_PRIOR_POSTINGS,
      Array(3).fill('uuid[]'),
      [requests, requests, requests],
      mode,
    );

    expect(scans.filter(({ rows }) => rows > 20)).toEqual([]);
  });

  it('reads only the transactions of the settlements and at their addresses', async () => {
    const sources = await some('source_id', 'source_id IS NOT NULL');
    const requests = await some('payment_request_id', `type = 'payment_in'`);

    const followed = await executed(database.client, SELECT_SOURCE_TRANSACTIONS, ['uuid[]'], [sources], mode);
    const open = await executed(database.client, SELECT_UNSETTLED_FUNDS, ['uuid[]'], [requests], mode);

    expect([...followed.scans, ...open.scans].filter(({ rows }) => rows > 20)).toEqual([]);
  });

  it.each([
    ['organization', PAGE_QUERIES.organization.whole, ORGANIZATION],
    ['account', PAGE_QUERIES.account.whole, ACCOUNT],
  ])(
    'reads only the rows, statuses and settlements of a page far from the start: list of an %s',
    async (_, text, scope) => {
      const { scans } = await executed(
        database.client,
        text,
        ['uuid', 'uuid', 'bigint', 'bigint', 'bigint'],
        [`'${scope}'`, `'${ORGANIZATION}'`, `${SIZE}`, '50', `${SIZE / 2}`],
        mode,
      );

      expect(scans.filter(({ rows }) => rows > 50)).toEqual([]);
    },
  );

  it('reads each withdrawal once for a page that is filtered by status', async () => {
    const { scans, blocks } = await executed(
      database.client,
      PAGE_QUERIES.organization.exceptions,
      ['uuid', 'uuid', 'bigint', 'bigint', 'bigint', 'timestamptz', 'timestamptz', 'text[]', 'text[]'],
      [
        `'${ORGANIZATION}'`,
        `'${ORGANIZATION}'`,
        `${SIZE}`,
        '50',
        '0',
        'NULL',
        'NULL',
        `'{withdraw}'`,
        `'{completed}'`,
      ],
      mode,
    );

    expect(scans.filter(({ rows }) => rows > WITHDRAWALS)).toEqual([]);
    expect(blocks).toBeLessThan(8 * WITHDRAWALS);
  });
});
