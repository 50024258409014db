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

/** A batch of one payout that there never was. @param count how many it says it has */
const batch = (
  id: string,
  sender: string,
  count: number,
) => `INSERT INTO settlement.batches (id, network, sender, recipient,
    data, gas_limit, payout_count, state, created_at, updated_at)
  VALUES ('01990000-0000-7000-8000-00000000000${id}', 'sandbox', '${sender}', '0xb', '', 1, ${count}, 'sent', platform.now(),
    platform.now());
  INSERT INTO settlement.batch_payouts (batch_id, number, organization_id, account_id, payment_request_id, address,
    unique_asset_id, to_settlement, to_fee)
  VALUES ('01990000-0000-7000-8000-00000000000${id}', 1, ${ID}, ${ID}, ${ID}, '0xd', 'nsandbox_tETH', 99, 1)`;

export const settlementTamperings: readonly Tampering[] = [
  {
    name: 'amount waiting at a deposit address',
    sql: 'UPDATE settlement.waiting SET amount = amount - 1 WHERE amount > 1',
    reportedBy: ['settlement-waiting-is-what-events-say'],
  },
  { name: 'settlement that was never sent', sql: invented(99), reportedBy: WITHOUT_FACTS },
  {
    name: 'settlement above the balance of its addresses',
    sql: invented(100),
    reportedBy: ['settlement-amounts-are-sums', ...WITHOUT_FACTS],
  },
  {
    name: 'payout of a batch, erased',
    sql: batch('b', '0xa', 2),
    reportedBy: ['settlement-batches-have-their-payouts', 'settlements-are-sent-as-chosen'],
  },
  {
    name: 'second batch of the same address',
    sql: `${batch('b', '0xa', 1)};${batch('c', '0xc', 1)}`,
    reportedBy: ['settlement-batches-share-no-address', 'settlements-are-sent-as-chosen'],
  },
];
