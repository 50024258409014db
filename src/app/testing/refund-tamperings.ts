import type { Tampering } from './tampering.js';

const OWNER = `'01990000-0000-7000-8000-0000000000aa', '01990000-0000-7000-8000-0000000000ab'`;
const FLOAT = `'01990000-0000-7000-8000-0000000000f1'`;
const REQUEST = `'01990000-0000-7000-8000-0000000000c1'`;
const REFUND = `'01990000-0000-7000-8000-0000000000d1'`;
const TOP_UP = `'01990000-0000-7000-8000-0000000000e1'`;
const COIN = `'nsandbox_tETH'`;
const ADDRESS = `'0x' || repeat('a', 40)`;
const PAYER = `'0x' || repeat('b', 40)`;
const HASH = `'0x' || repeat('1', 64)`;

/** One top-up of 100 and one completed refund of 10 with 1 of gas, with all that belongs to them. */
const HISTORY = `
INSERT INTO settlement.refund_floats (id, organization_id, account_id, network, address)
  VALUES (${FLOAT}, ${OWNER}, 'sandbox', ${ADDRESS});
INSERT INTO settlement.refund_float_holdings (float_id, holding, topped_up, refunded, gas, balance, block_number)
  VALUES (${FLOAT}, 'native', 100, 10, 1, 89, 7);
INSERT INTO settlement.refund_float_top_ups (id, float_id, organization_id, account_id, holding, unique_asset_id, amount, block_number)
  VALUES (${TOP_UP}, ${FLOAT}, ${OWNER}, 'native', ${COIN}, 100, 1);
INSERT INTO settlement.refunded_sums (payment_request_id, unique_asset_id, organization_id, account_id, received, refunded)
  VALUES (${REQUEST}, ${COIN}, ${OWNER}, 20, 10);
INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name, network,
    token, unique_asset_id, currency, decimals, amount, status, to_address, approved_at, approved_by, float_address,
    transaction_hash, created_at, updated_at)
  VALUES (${REFUND}, ${OWNER}, ${REQUEST}, ${REQUEST}, 'Shop', 'sandbox', 'ETH', ${COIN}, 'ETH', 18, 10, 'completed',
    ${PAYER}, now(), 'credential', ${ADDRESS}, ${HASH}, now(), now());
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
    unique_asset_id, currency, decimals, amount, to_address, gas_reserved, status, call_to, call_data, call_value,
    call_gas_limit, sent_at, transaction_hash, block_number, gas, ordered_by, ended_at)
  VALUES (${REFUND}, ${FLOAT}, ${OWNER}, 'sandbox', 'refund', 'native', ${COIN}, 'ETH', 18, 10, ${PAYER}, 2, 'completed',
    ${PAYER}, '', 10, 21000, now(), ${HASH}, 7, 1, 'credential', now() - interval '1 day');
INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  VALUES ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8, gen_random_uuid(), 'refund.status_changed', ${REFUND}, ${OWNER}, now(), jsonb_build_object('status', 'completed',
    'amount', '10', 'uniqueAssetId', ${COIN}, 'paymentRequestId', ${REQUEST}, 'to', ${PAYER}, 'transactionHash', ${HASH}));
INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  VALUES ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8, gen_random_uuid(), 'refund_float.topped_up', ${TOP_UP}, ${OWNER}, now(), jsonb_build_object('amount', '100',
    'uniqueAssetId', ${COIN}));
`;

const tampered = (name: string, sql: string, ...reportedBy: string[]): Tampering => ({
  name,
  sql: HISTORY + sql,
  reportedBy,
});

export const refundTamperings: readonly Tampering[] = [
  tampered(
    'the amount of a refund',
    'UPDATE settlement.refunds SET amount = 21',
    ...['refunds-stay-within-what-was-received', 'approved-refunds-have-their-payout'],
    'refund-events-tell-their-refund',
  ),
  tampered(
    'the sum of a request’s refunds',
    'UPDATE settlement.refunded_sums SET refunded = 0',
    'refunds-stay-within-what-was-received',
  ),
  tampered(
    'the account of a refund’s sum',
    'UPDATE settlement.refunded_sums SET account_id = gen_random_uuid()',
    'refunds-share-their-tenant',
  ),
  tampered(
    'the address that a refund was paid to',
    `UPDATE settlement.refunds SET to_address = ${ADDRESS}`,
    ...['approved-refunds-have-their-payout', 'refund-events-tell-their-refund'],
  ),
  tampered(
    'a payout of a refund that nobody asked for',
    `INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
       unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by)
     VALUES (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'sandbox', 'refund', 'native', ${COIN}, 'ETH', 18, 5, ${PAYER}, 0, 'me')`,
    ...['approved-refunds-have-their-payout', 'float-payouts-add-up'],
  ),
  tampered(
    'what a refund float has reserved',
    'UPDATE settlement.refund_float_holdings SET reserved = 5',
    'float-payouts-add-up',
  ),
  tampered(
    'what a refund float was topped up by',
    'UPDATE settlement.refund_float_holdings SET topped_up = 1000',
    ...['float-top-ups-add-up', 'float-balances-are-explained'],
  ),
  tampered(
    'the balance of a refund float',
    'UPDATE settlement.refund_float_holdings SET balance = 90',
    'float-balances-are-explained',
  ),
  tampered(
    'a top-up of a refund float',
    'UPDATE settlement.refund_float_top_ups SET amount = 99',
    ...['float-top-ups-add-up', 'top-up-events-tell-their-top-up'],
  ),
  tampered(
    'the status of a refund',
    `UPDATE settlement.refunds SET status = 'failed'`,
    ...['refunds-stay-within-what-was-received', 'approved-refunds-have-their-payout'],
    'refund-events-tell-their-refund',
  ),
  tampered(
    'a withdrawal from a refund float, put in',
    `INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
       unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by)
     VALUES (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'sandbox', 'withdrawal', 'native', ${COIN}, 'ETH', 18, 5, ${PAYER}, 0, 'me');
     UPDATE settlement.refund_float_holdings SET reserved = 5`,
    'withdrawals-of-floats-are-as-audited',
  ),
  {
    name: 'a limit of refunds, put in',
    sql: `INSERT INTO settlement.refund_limits (account_id, unique_asset_id, organization_id, subject_id, set_by)
      VALUES (gen_random_uuid(), ${COIN}, gen_random_uuid(), gen_random_uuid(), 'me')`,
    reportedBy: ['refund-limits-are-as-audited'],
  },
  {
    name: 'what an account is allotted of a float, put in',
    sql: `INSERT INTO settlement.refund_allotments (account_id, unique_asset_id, organization_id, subject_id, allotted, set_by)
      VALUES (gen_random_uuid(), ${COIN}, gen_random_uuid(), gen_random_uuid(), 1, 'me')`,
    reportedBy: ['refund-allotments-are-as-audited'],
  },
  tampered(
    'what a refund was taken from',
    'UPDATE settlement.refund_float_payouts SET from_allotment = true',
    'refunds-stay-within-allotments',
  ),
  {
    name: 'what bounds an organization’s refunds, put in',
    sql: `INSERT INTO settlement.refund_bases (organization_id, basis, set_by) VALUES (gen_random_uuid(), 'received', 'me')`,
    reportedBy: ['refund-bases-are-as-audited'],
  },
];
