import type { Tampering } from './tampering.js';

const ID = `'01990000-0000-7000-8000-00000000000a'`;

/** A settlement with one address, of payouts that there never were. @param amount what the record says of the address's 99 */
const invented = (
  amount: number,
) => `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id,
    network, unique_asset_id, currency, decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash,
    payment_count, status, created_at, updated_at)
  SELECT ${ID}, ${ID}, organization_id, id, 'sandbox', 'nsandbox_tETH', 'ETH', 18, ${amount}, 1, '0xa', '0xb', '0xc', 1,
    'completed', platform.now(), platform.now() FROM identity.accounts LIMIT 1;
  INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
    fee_basis_points) VALUES (${ID}, 1, ${ID}, '0xd', 99, 1, 100)`;

const WITHOUT_FACTS = [
  'settled-addresses-are-of-payouts',
  'settlement-events-follow-edges',
  'settlement-records-are-of-payouts',
];

export const settlementTamperings: readonly Tampering[] = [
  {
    name: 'what waits at a deposit address',
    sql: 'UPDATE settlement.waiting SET amount = amount - 1 WHERE amount > 1',
    reportedBy: ['settlement-waiting-is-what-events-say'],
  },
  { name: 'a settlement that was never sent', sql: invented(99), reportedBy: WITHOUT_FACTS },
  {
    name: 'a settlement of more than its addresses had',
    sql: invented(100),
    reportedBy: ['settlement-amounts-are-sums', ...WITHOUT_FACTS],
  },
];
