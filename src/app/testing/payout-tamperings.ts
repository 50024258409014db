import { requestWith, type Tampering } from './tampering.js';

/** A payout of what was paid, in the block of its last transfer. */
const invented = (index: number, blockHash = 't.block_hash') => `
  INSERT INTO payments.payouts (id, group_id, network, transaction_hash, log_index, block_number, block_hash, block_time,
    from_address, address, unique_asset_id, currency, decimals, to_settlement, to_fee, payment_request_id, organization_id,
    account_id, final)
  SELECT gen_random_uuid(), gen_random_uuid(), t.network, '0xfe', ${index}, t.block_number, ${blockHash}, t.block_time, '0xfa',
    t.to_address, t.unique_asset_id, t.currency, t.decimals, t.amount, 0, t.payment_request_id, t.organization_id, t.account_id,
    true
  FROM payments.transfers t WHERE t.payment_request_id = ${requestWith('paid')} AND t.counted ORDER BY t.block_number DESC LIMIT 1`;

export const payoutTamperings: readonly Tampering[] = [
  {
    name: 'invented payout of a payment',
    sql: invented(0),
    reportedBy: ['payouts-match-events'],
  },
  {
    name: 'invented payout in an unread block',
    sql: invented(0, `'0xfe'`),
    reportedBy: ['payouts-match-events', 'payouts-stand-in-read-blocks'],
  },
  {
    name: 'invented payout, twice under one log',
    sql: `DROP INDEX payments.payouts_unique_by_log; ${invented(0)}; ${invented(0)}`,
    reportedBy: ['one-payout-for-each-log', 'payouts-match-events'],
  },
];
