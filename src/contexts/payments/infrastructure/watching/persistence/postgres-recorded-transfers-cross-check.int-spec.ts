import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NETWORK, SmallCatalogue } from '#contexts/payments/testing/requests/collecting-world.js';
import { openPayments, pay, type Payments } from '#contexts/payments/testing/requests/open-payments.js';
import type { Evidence } from '#contexts/payments/domain/watching/recorded-transfers.js';
import { PostgresRecordedTransfers } from './postgres-recorded-transfers.js';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

let payments: Payments;
beforeEach(async () => {
  payments = await openPayments(null, SmallCatalogue.withAgreementAbove(5_000_000n));
  await payments.follow();
});
afterEach(() => payments.platform.close('any'));

/** So many transfers like the one there is, newer than all others. */
function fill(count: number, kind: 'log' | 'balance', awaitsCrossCheck: boolean): Promise<unknown> {
  return payments.database.query(
    `INSERT INTO payments.transfers
     SELECT filled.* FROM (SELECT to_jsonb(t) AS fields FROM payments.transfers t LIMIT 1) one,
       generate_series(1, $1) i, LATERAL jsonb_populate_record(NULL::payments.transfers, one.fields || jsonb_build_object(
         'id', gen_random_uuid(), 'kind', $2::text, 'counted', false, 'awaits_cross_check', $3::boolean, 'index', i,
         'transaction_hash', CASE $2 WHEN 'log' THEN '0x' || encode(sha256(i::text::bytea), 'hex') END,
         'block_hash', '0x' || encode(sha256(i::text::bytea), 'hex'))) filled`,
    [count, kind, awaitsCrossCheck],
  );
}

/** How the statement that asks for them is carried out. */
async function planOf(evidence: Evidence): Promise<string> {
  const transfers = new PostgresRecordedTransfers(payments.database);
  const asked = [NETWORK, FIRST_ID, 20] as const;
  const [text] = await payments.database.sentBy(() =>
    transfers.awaitingCrossCheck(asked[0], evidence, asked[1], asked[2]),
  );
  const rows = await payments.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, [...asked]);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('Those that await agreement', () => {
  it.each<[Evidence, string]>([
    ['balances', 'transfers_to_cross_check_by_balance'],
    ['receipt', 'transfers_to_cross_check_by_receipt'],
  ])(
    'are read in the order of an index of their own, however many there are: %s',
    async (evidence, index) => {
      const request = await payments.request();
      payments.chain.mine(pay(request, 1000));
      await payments.follow();
      await fill(8_000, 'log', false);
      await fill(4_000, 'balance', true);
      await payments.database.query('ANALYZE payments.transfers');

      const plan = await planOf(evidence);

      expect(plan).toContain(index);
      expect(plan).not.toContain('Sort');
    },
  );
});
