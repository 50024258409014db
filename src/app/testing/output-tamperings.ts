import { requestWith, type Tampering } from './tampering.js';

/** The address of an open request, with the number 0 of a wallet whose last one is `last`, in SQL. */
const numbered = (last: number, owner: string) => `
INSERT INTO payments.address_numbers (network, numbering, organization_id, next_number)
  SELECT network, 'wallet', ${owner}, ${last + 1} FROM payments.deposit_addresses
  WHERE payment_request_id = ${requestWith('open')};
UPDATE payments.deposit_addresses SET number = 0, numbering_id = (SELECT max(id) FROM payments.address_numbers)
  WHERE payment_request_id = ${requestWith('open')}`;

/** An output to a request that is being paid, which was seen before it was in a block. @param times SQL: seen, arrived, lapses */
const seen = (times: string, block = 'block_number, block_hash, block_time') => `
INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time, seen_at,
    arrived_at, lapses_at, evidence, unique_asset_id, currency, decimals, required_confirmations, from_address, to_address,
    amount, payment_request_id, organization_id, account_id, counted, final, detected_at)
  SELECT gen_random_uuid(), network, 'output', '0xfd', 0, ${block}, ${times}, '{}', unique_asset_id, currency, decimals,
    required_confirmations, from_address, to_address, amount, payment_request_id, organization_id, account_id, false, false,
    detected_at
  FROM payments.transfers JOIN payments.chain_cursors USING (network)
  WHERE payment_request_id = ${requestWith('processing')} LIMIT 1`;

/** On networks with numbered addresses, and with transfers that are seen before they are in a block. */
export const outputTamperings: readonly Tampering[] = [
  {
    name: 'gap in the numbering of a wallet’s addresses',
    sql: numbered(1, 'organization_id'),
    reportedBy: ['numbers-are-gapless'],
  },
  {
    name: 'owner of a wallet’s addresses',
    sql: numbered(0, 'gen_random_uuid()'),
    reportedBy: ['numbered-addresses-are-of-one-organization'],
  },
  {
    name: 'pending transfer, kept too long',
    sql: seen(
      `final_time - interval '2 hours', final_time - interval '2 hours', final_time - interval '2 hours'`,
      'NULL, NULL, NULL',
    ),
    reportedBy: ['pending-transfers-lapse'],
  },
  {
    name: 'first-seen time of a transfer, after its record',
    sql: seen(`detected_at + interval '1 hour', detected_at, detected_at + interval '2 hours'`),
    reportedBy: ['seen-times-stay'],
  },
  {
    name: 'arrival time of a pending transfer',
    sql: seen(`detected_at - interval '1 hour', detected_at, detected_at`),
    reportedBy: ['arrived-by-first-sight'],
  },
];
