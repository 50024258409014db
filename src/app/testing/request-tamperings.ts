import { requestWith, OTHER, type Tampering } from './tampering.js';

const request = (name: string, set: string, reference = 'open', ...reportedBy: string[]): Tampering => ({
  name,
  sql: `UPDATE payments.payment_requests SET ${set} WHERE reference_id = '${reference}'`,
  reportedBy,
});

export const requestTamperings: readonly Tampering[] = [
  request('amount of an open request', 'amount = amount - 1', 'open', 'asked-amounts-match-events'),
  request(
    'asset of an open request',
    `unique_asset_id = 'nsandbox_tETH', currency = 'ETH', decimals = 18`,
    'open',
    'asked-amounts-match-events',
    'payable-coins-are-watched',
  ),
  request(
    'deadline of an open request',
    `expires_at = expires_at + interval '1 day', counts_until = counts_until + interval '1 day'`,
    'open',
    'deadlines-match-events',
  ),
  request(
    'grace of an open request',
    `counts_until = counts_until + interval '1 hour'`,
    'open',
    'deadlines-match-events',
  ),
  request(
    'tolerance of an open request',
    `underpayment_tolerance = '{"basisPoints": 500, "atMost": "1000"}'`,
    'open',
    'tolerances-match-events',
  ),
  request(
    'point of sale of a request',
    'point_of_sale_id = gen_random_uuid()',
    'open',
    'events-have-their-request',
  ),
  request('reference of a request', `reference_id = 'other'`, 'open', 'events-have-their-request'),
  request(
    'creation time of a request, backdated',
    `created_at = created_at - interval '1 day'`,
    'open',
    'request-times-are-of-its-steps',
  ),
  {
    name: 'amount of a request in payment, with its transfer',
    sql: `UPDATE payments.payment_requests SET received_amount = received_amount + 1 WHERE reference_id = 'processing';
      UPDATE payments.transfers SET amount = amount + 1 WHERE payment_request_id = ${requestWith('processing')}`,
    reportedBy: ['received-amounts-match-events', 'sums-are-what-was-sent'],
  },
  {
    name: 'invented transfer to a paid request, with amount and status',
    sql: `INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
        unique_asset_id, currency, decimals, required_confirmations, from_address, to_address, amount, payment_request_id,
        organization_id, account_id, counted, final, detected_at)
      SELECT gen_random_uuid(), network, kind, '0xfe', 0, block_number, block_hash, block_time, unique_asset_id, currency,
        decimals, required_confirmations, from_address, to_address, 1000000, payment_request_id, organization_id, account_id,
        true, true, detected_at
      FROM payments.transfers WHERE payment_request_id = ${requestWith('paid')} AND counted LIMIT 1;
      UPDATE payments.payment_requests SET received_amount = received_amount + 1000000, status = 'overpaid' WHERE reference_id = 'paid';
      UPDATE payments.status_history SET status = 'overpaid' WHERE payment_request_id = ${requestWith('paid')} AND status = 'completed'`,
    reportedBy: [
      'confirmations-tell-their-request',
      'one-event-for-each-step',
      'one-step-for-each-event',
      'received-amounts-match-events',
    ],
  },
  {
    name: 'transfer to a paid request, erased with its amount',
    sql: `DELETE FROM payments.transfers WHERE payment_request_id = ${requestWith('paid')} AND counted AND amount = 4000000;
      UPDATE payments.payment_requests SET received_amount = received_amount - 4000000, status = 'underpaid' WHERE reference_id = 'paid'`,
    reportedBy: [
      'confirmations-tell-their-request',
      'received-amounts-match-events',
      'state-changes-are-edges',
    ],
  },
  {
    name: 'deposit, erased',
    sql: `DELETE FROM payments.transfers WHERE payment_request_id = ${requestWith('paid')} AND deposited_at IS NOT NULL`,
    reportedBy: ['booked-transfers-match-events', 'one-event-for-each-deposit'],
  },
  {
    name: 'hash of a deposited transfer',
    sql: `UPDATE payments.transfers SET transaction_hash = '0xfe' WHERE payment_request_id = ${requestWith('paid')} AND deposited_at IS NOT NULL`,
    reportedBy: ['booked-transfers-match-events'],
  },
  {
    name: 'deposit address of an open request',
    sql: `UPDATE payments.deposit_addresses SET address = ${OTHER} WHERE payment_request_id = ${requestWith('open')}`,
    reportedBy: ['addresses-match-events'],
  },
  {
    name: 'second address for an open request',
    sql: `INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id, unique_asset_id,
        derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
      SELECT network, ${OTHER}, payment_request_id, organization_id, account_id, unique_asset_id, derivation, settlement_terms_id,
        settlement_address, fee_recipient, fee_basis_points, created_at
      FROM payments.deposit_addresses WHERE payment_request_id = ${requestWith('open')}`,
    reportedBy: ['addresses-match-events'],
  },
  {
    name: 'settlement address of a deposit address',
    sql: `UPDATE payments.deposit_addresses SET settlement_address = ${OTHER} WHERE payment_request_id = ${requestWith('open')}`,
    reportedBy: ['addresses-are-of-their-terms'],
  },
  {
    name: 'deposit address, marked as the merchant’s own',
    sql: `UPDATE payments.deposit_addresses SET delivered = true WHERE payment_request_id = ${requestWith('paid')}`,
    reportedBy: ['booked-transfers-match-events', 'confirmations-tell-their-request'],
  },
  {
    name: 'fee of a deposit address, with its confirmed payment',
    sql: `UPDATE payments.deposit_addresses SET fee_basis_points = 500 WHERE payment_request_id = ${requestWith('paid')}`,
    reportedBy: [
      'addresses-are-of-their-terms',
      'booked-transfers-match-events',
      'confirmations-tell-their-request',
    ],
  },
  {
    name: 'amount of an earlier selection',
    sql: `UPDATE payments.selections SET amount = amount - 1 WHERE payment_request_id = ${requestWith('session')} AND currency = 'EURX'`,
    reportedBy: ['selected-amounts-are-worth-the-price', 'selections-match-events'],
  },
  {
    name: 'step of a history, backdated',
    sql: `UPDATE payments.status_history SET at = at - interval '1 minute' WHERE payment_request_id = ${requestWith('paid')} AND status IN ('created', 'processing')`,
    reportedBy: ['one-step-for-each-event', 'request-times-are-of-its-steps'],
  },
  {
    name: 'last steps of a history, erased with the outcome',
    sql: `DELETE FROM payments.status_history WHERE payment_request_id = ${requestWith('paid')} AND status IN ('completed', 'confirmed');
      UPDATE payments.payment_requests SET status = 'processing', confirmed_at = NULL WHERE reference_id = 'paid'`,
    reportedBy: [
      'one-step-for-each-event',
      'receipts-are-of-final-payments',
      'sums-are-what-was-sent',
      'what-is-paid-is-decided',
    ],
  },
  {
    name: 'request, erased with its history and addresses',
    sql: `DELETE FROM payments.status_history WHERE payment_request_id = ${requestWith('open')};
      DELETE FROM payments.deposit_addresses WHERE payment_request_id = ${requestWith('open')};
      DELETE FROM payments.payment_requests WHERE reference_id = 'open'`,
    reportedBy: ['addresses-match-events', 'events-have-their-request', 'one-step-for-each-event'],
  },
];
