import { ETHER, type Facts, NETWORK, UNIT } from './stopped-service.js';
import {
  bytes,
  call,
  claimed,
  event,
  floatKey,
  FORGED,
  outcome,
  payout,
  sending,
  transfer,
  valueOf,
} from './theft-statements.js';

/** Somebody who has the rights of the service's database role writes this. */
export interface Theft {
  readonly name: string;
  readonly sql: (facts: Facts) => string;
}

export const thefts: readonly Theft[] = [
  { name: 'the call of an approved refund', sql: (f) => call(f.token, transfer(f), 0n, f.approved) },
  { name: 'that call, as all coin of the float', sql: (f) => call(f.thief, '0x', 4n * ETHER, f.approved) },
  { name: 'the call of a withdrawal', sql: (f) => call(f.token, transfer(f), 0n, f.withdrawal) },
  { name: 'the call of a refund that is sent', sql: (f) => call(f.token, transfer(f), 0n, f.broadcast) },
  ...['to_address', 'amount', 'holding', 'float_id', 'kind', 'currency', 'ordered_by'].map((column) => ({
    name: `${column} of an approved payout`,
    sql: (f: Facts) =>
      `UPDATE settlement.refund_float_payouts SET ${column} = ${valueOf(column, f)} WHERE id = '${f.approved}'`,
  })),
  ...['to_address', 'amount', 'token', 'float_address'].map((column) => ({
    name: `${column} of an approved refund`,
    sql: (f: Facts) =>
      `UPDATE settlement.refunds SET ${column} = ${valueOf(column, f)} WHERE id = '${f.approved}'`,
  })),
  {
    name: 'the address of the float',
    sql: (f) => `UPDATE settlement.refund_floats SET address = '${f.thief}'`,
  },
  {
    name: 'a float of the thief in the place of the organization’s',
    sql: (f) => `UPDATE settlement.refund_floats SET replaced_at = platform.now();
      INSERT INTO settlement.refund_floats (id, organization_id, account_id, network, address)
      VALUES (gen_random_uuid(), '${f.organization}', '${f.account}', '${NETWORK}', '${f.thief}')`,
  },
  {
    name: 'a transfer from the float, reserved',
    sql: (f) =>
      sending(f, {
        ...{ sender: f.floatAddress, key: floatKey(f), purpose: 'refund', to: f.token, data: transfer(f) },
      }),
  },
  {
    name: 'another call under the id of an approved refund',
    sql: (f) =>
      sending(f, {
        ...{ id: `'${f.approved}'`, sender: f.floatAddress, key: floatKey(f), purpose: 'refund' },
        ...{ to: f.token, data: transfer(f) },
      }),
  },
  {
    name: 'coin of the gas key, called a settlement',
    sql: (f) =>
      sending(f, { sender: f.gasAddress, key: 'gas', purpose: 'settlement', to: f.thief, value: ETHER }),
  },
  ...['recipient', 'nonce', 'key', 'fee_ceiling'].map((column) => ({
    name: `the ${column} of a sending`,
    sql: (f: Facts) =>
      `UPDATE networks.sendings SET ${column} = ${valueOf(column, f)} WHERE id = '${f.broadcast}'`,
  })),
  { name: 'that a sending was reverted', sql: outcome('reverted', false) },
  { name: 'that a sending is final', sql: outcome('final', true) },
  {
    name: 'that a refund was paid',
    sql: (f) => `${call(f.token, transfer(f), 0n, f.approved)};
      UPDATE settlement.refund_float_payouts SET status = 'completed', sent_at = platform.now(), ended_at = platform.now(),
        transaction_hash = '0x' || repeat('1', 64), block_number = 1, gas = 0 WHERE id = '${f.approved}'`,
  },
  {
    name: 'that more was received',
    sql: () => 'UPDATE settlement.refunded_sums SET received = 1000000000000',
  },
  {
    name: 'a limit of refunds',
    sql: (
      f,
    ) => `INSERT INTO settlement.refund_limits (account_id, unique_asset_id, organization_id, subject_id,
        automatic_below, set_by)
      SELECT '${f.account}', unique_asset_id, '${f.organization}', gen_random_uuid(), 1000000000, 'thief'
      FROM settlement.refunded_sums LIMIT 1`,
  },
  {
    name: 'the address of a claim that waits, approved',
    sql: (f) => `${claimed(f)};${payout(f, `'${f.pending}'`, 'refund', 3n * UNIT)}`,
  },
  {
    name: 'a payout that refunds nothing',
    sql: (f) => payout(f, 'gen_random_uuid()', 'refund', 50n * UNIT),
  },
  {
    name: 'a withdrawal to the thief, with its event',
    sql: (f) =>
      `${payout(f, `'${FORGED}'`, 'withdrawal', 50n * UNIT)};
       ${event(f.withdrawal, FORGED, `'to', '${f.thief}', 'amount', '${50n * UNIT}'`)}`,
  },
  {
    name: 'a withdrawal to the thief, with its event and settlement terms',
    sql: (f) =>
      `${payout(f, `'${FORGED}'`, 'withdrawal', 50n * UNIT)};
       ${event(f.withdrawal, FORGED, `'to', '${f.thief}', 'amount', '${50n * UNIT}'`)};
       INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient,
         fee_basis_points, set_by, created_at)
       VALUES (gen_random_uuid(), '${f.organization}', '${NETWORK}', '${f.thief}', '0x' || repeat('0', 40), 0, 'thief', now())`,
  },
  {
    name: 'that a refund is over, in the event log',
    sql: (f) => event(f.approved, f.approved, `'status', 'failed'`),
  },
  {
    name: 'a batch of the gas key that calls a token',
    sql: (
      f,
    ) => `INSERT INTO settlement.batches (id, network, sender, recipient, data, gas_limit, payout_count, state,
        created_at, updated_at)
      VALUES (gen_random_uuid(), '${NETWORK}', '${f.gasAddress}', '${f.token}', ${bytes(transfer(f))}, 100000, 1, 'chosen',
        platform.now(), platform.now())`,
  },
  {
    name: 'what the float was topped up by',
    sql: () => 'UPDATE settlement.refund_float_holdings SET topped_up = topped_up * 10',
  },
  {
    name: 'where deposit addresses deliver to',
    sql: (f) => `UPDATE payments.deposit_addresses SET settlement_address = '${f.thief}'`,
  },
  ...[
    `DELETE FROM platform.events WHERE type = 'refund.status_changed'`,
    `UPDATE platform.events SET data = data || '{"amount": "1"}'`,
    'DELETE FROM settlement.refunds',
    'DELETE FROM networks.sendings',
    `UPDATE networks.sending_attempts SET raw = '\\x02'`,
    'ALTER TABLE settlement.refund_float_payouts DISABLE TRIGGER ALL',
    'SET session_replication_role = replica',
    'DROP TRIGGER sendings_kept ON networks.sendings',
    'UPDATE settlement.refund_float_top_ups SET amount = 1',
  ].map((sql) => ({ name: sql, sql: () => sql })),
];

/** A careful thief writes a whole refund, as the service itself would have written it. */
export const wholeRefund: Theft = {
  name: 'a refund that waits for its address, approved with all that the service would write',
  sql: (f) => `${claimed(f)};${payout(f, `'${f.pending}'`, 'refund', 3n * UNIT)};
    ${event(f.pending, f.pending, `'status', 'processing', 'to', '${f.thief}', 'from', '${f.floatAddress}'`)}`,
};
