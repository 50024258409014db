import { ADDRESS, ASSET, FLOAT, HISTORY, OWNER, PAYER, REFUND, TOKEN } from './float-history.js';
import type { Tampering } from './tampering.js';

const tampered = (name: string, sql: string, ...reportedBy: string[]): Tampering => ({
  name,
  sql: HISTORY + sql,
  reportedBy,
});

export const refundTamperings: readonly Tampering[] = [
  tampered(
    'amount of a refund',
    'UPDATE settlement.refunds SET amount = 21',
    ...['refunds-stay-within-what-was-received', 'approved-refunds-have-their-payout'],
    'refund-events-tell-their-refund',
  ),
  tampered(
    'sum of a request’s refunds',
    'UPDATE settlement.refunded_sums SET refunded = 0',
    'refunds-stay-within-what-was-received',
  ),
  tampered(
    'account of a refund’s sum',
    'UPDATE settlement.refunded_sums SET account_id = gen_random_uuid()',
    'refunds-share-their-tenant',
  ),
  tampered(
    'recipient of a refund',
    `UPDATE settlement.refunds SET to_address = ${ADDRESS}`,
    ...['approved-refunds-have-their-payout', 'refund-events-tell-their-refund'],
  ),
  tampered(
    'payer of a refund',
    `UPDATE settlement.refunds SET paid_by = 'merchant', float_address = NULL, transaction_hash = 'ab'`,
    ...['approved-refunds-have-their-payout', 'refund-events-tell-their-refund'],
  ),
  tampered(
    'payer of a refund, with an event',
    `UPDATE settlement.refunds SET paid_by = 'merchant', float_address = NULL;
     INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
     SELECT transaction_id, gen_random_uuid(), type, aggregate_id, organization_id, account_id, now(),
       data || '{"paidBy": "merchant"}'
     FROM platform.events WHERE aggregate_id = ${REFUND} AND data ->> 'status' = 'completed'`,
    ...['approved-refunds-have-their-payout', 'orders-of-floats-never-change'],
  ),
  tampered(
    'payout of a refund that was never requested',
    `INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
       unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by,
       from_allotment)
     VALUES (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'sandbox', 'refund', ${TOKEN}, ${ASSET}, 'USDX', 6, 5, ${PAYER}, 0, 'me',
       false)`,
    ...['approved-refunds-have-their-payout', 'float-payouts-add-up'],
  ),
  tampered(
    'reserved amount of a refund float',
    'UPDATE settlement.refund_float_holdings SET reserved = 5',
    'float-payouts-add-up',
  ),
  tampered(
    'topped-up total of a refund float',
    'UPDATE settlement.refund_float_holdings SET topped_up = 1000',
    ...['float-top-ups-add-up', 'float-balances-are-explained'],
  ),
  tampered(
    'balance of a refund float',
    'UPDATE settlement.refund_float_holdings SET balance = 90',
    'float-balances-are-explained',
  ),
  tampered(
    'top-up of a refund float',
    'UPDATE settlement.refund_float_top_ups SET amount = 99',
    ...['float-top-ups-add-up', 'top-up-events-tell-their-top-up'],
  ),
  tampered(
    'status of a refund',
    `UPDATE settlement.refunds SET status = 'failed'`,
    ...['refunds-stay-within-what-was-received', 'approved-refunds-have-their-payout'],
    'refund-events-tell-their-refund',
  ),
  tampered(
    'withdrawal from a refund float, inserted',
    `INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
       unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by,
       from_allotment)
     VALUES (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'sandbox', 'withdrawal', ${TOKEN}, ${ASSET}, 'USDX', 6, 5, ${PAYER}, 0, 'me',
       false);
     UPDATE settlement.refund_float_holdings SET reserved = 5 WHERE holding <> 'native'`,
    ...['withdrawals-of-floats-are-as-audited', 'withdrawal-events-tell-their-withdrawal'],
    'withdrawals-go-to-settlement-addresses',
  ),
  {
    name: 'refund limit, inserted',
    sql: `INSERT INTO settlement.refund_limits (account_id, unique_asset_id, organization_id, subject_id, set_by)
      VALUES (gen_random_uuid(), ${ASSET}, gen_random_uuid(), gen_random_uuid(), 'me')`,
    reportedBy: ['refund-limits-are-as-audited'],
  },
  {
    name: 'allotment of an account, inserted',
    sql: `INSERT INTO settlement.refund_allotments (account_id, unique_asset_id, organization_id, subject_id, allotted, set_by)
      VALUES (gen_random_uuid(), ${ASSET}, gen_random_uuid(), gen_random_uuid(), 1, 'me')`,
    reportedBy: ['refund-allotments-are-as-audited'],
  },
  tampered(
    'source of a refund',
    'UPDATE settlement.refund_float_payouts SET from_allotment = true',
    'refunds-stay-within-allotments',
  ),
  {
    name: 'refund basis of an organization, inserted',
    sql: `INSERT INTO settlement.refund_bases (organization_id, basis, set_by) VALUES (gen_random_uuid(), 'received', 'me')`,
    reportedBy: ['refund-bases-are-as-audited'],
  },
];
