import {
  ADDRESS,
  ASSET,
  FLOAT,
  GAS_ACCOUNT,
  HISTORY,
  KEY,
  OWNER,
  PAYER,
  REFUND,
  REFUNDED,
  refundEvent,
  sent,
  SETTLED,
  TERMS,
  TOKEN,
  WITHDRAWAL,
  WITHDRAWN,
} from './float-history.js';
import { OTHER, type Tampering } from './tampering.js';

const BATCH = `'01990000-0000-7000-8000-00000000000b'`;
const FACTORY = `'0x' || repeat('f', 40)`;
/** An address with capital letters, as batches have it. */
const SPELLED = `'0x' || repeat('F', 40)`;
const NEW = `'01990000-0000-7000-8000-0000000000d3'`;

/** A batch of one payout, final by the call that it chose. */
const SETTLEMENT = `
INSERT INTO settlement.batches (id, network, sender, recipient, data, gas_limit, payout_count, state, transaction_hash,
    created_at, updated_at)
  VALUES (${BATCH}, 'sandbox', ${GAS_ACCOUNT}, ${SPELLED}, '\\x${SETTLED.data}', 100000, 1, 'final', '${SETTLED.hash}',
    platform.now(), platform.now());
INSERT INTO settlement.batch_payouts (batch_id, number, organization_id, account_id, payment_request_id, address,
    unique_asset_id, to_settlement, to_fee)
  VALUES (${BATCH}, 1, ${OWNER}, ${NEW}, '0xd', ${ASSET}, 99, 1);
${sent({ id: BATCH, sender: GAS_ACCOUNT, key: `'gas'`, nonce: 0, to: FACTORY, gasLimit: 100_000, purpose: 'settlement', signed: SETTLED })};
`;

const SENDS = 'floats-send-what-was-ordered';
const BYTES = 'signed-bytes-are-of-their-sending';
const CALLS = 'float-calls-pay-what-was-ordered';
const ENDS = 'float-payouts-end-as-mined';
const ORDERS = 'orders-of-floats-never-change';
const BATCHES = 'settlements-are-sent-as-chosen';
const KEYS = 'sendings-are-of-keys-that-may';
const EVENTS = 'refund-events-tell-their-refund';

const withId = (id: string) => `WHERE id = ${id}`;

const tampered = (name: string, sql: string, ...reportedBy: string[]): Tampering => ({
  name,
  sql: HISTORY + SETTLEMENT + sql,
  reportedBy,
});

export const sentTamperings: readonly Tampering[] = [
  tampered(
    'call of a payout only',
    `UPDATE settlement.refund_float_payouts SET call_to = ${OTHER}, call_data = '', call_value = 10 ${withId(REFUND)}`,
    ...[SENDS, CALLS],
  ),
  tampered(
    'call of a payout and its outbound transaction',
    `UPDATE settlement.refund_float_payouts SET call_to = ${OTHER}, call_data = '', call_value = 10 ${withId(REFUND)};
     UPDATE networks.sendings SET recipient = ${OTHER}, data = '', value = 10 ${withId(REFUND)}`,
    ...[CALLS, BYTES],
  ),
  tampered(
    'call of an outbound transaction only',
    `UPDATE networks.sendings SET recipient = ${OTHER} ${withId(REFUND)}`,
    ...[SENDS, BYTES],
  ),
  tampered(
    'signed bytes of an attempt',
    `UPDATE networks.sending_attempts SET raw = 'nothing' WHERE sending_id = ${REFUND}`,
    BYTES,
  ),
  tampered(
    'signed bytes of an attempt, replaced by another key’s',
    `DELETE FROM networks.sending_attempts WHERE sending_id = ${BATCH};
     UPDATE networks.sending_attempts SET raw = '\\x${SETTLED.raw}', hash = '${SETTLED.hash}' WHERE sending_id = ${REFUND};
     UPDATE networks.sendings SET mined_hash = '${SETTLED.hash}' ${withId(REFUND)}`,
    ...[BYTES, ENDS, 'sendings-are-mined-by-their-attempts', 'sendings-have-their-attempts'],
  ),
  tampered(
    'nonce of an outbound transaction',
    `UPDATE networks.sendings SET nonce = 9 ${withId(REFUND)}`,
    BYTES,
  ),
  tampered(
    'account of an outbound transaction',
    `UPDATE networks.sendings SET sender = ${OTHER} ${withId(REFUND)}`,
    ...[SENDS, BYTES],
  ),
  tampered(
    'fees of an attempt',
    `UPDATE networks.sending_attempts SET max_fee = 2 WHERE sending_id = ${REFUND}`,
    BYTES,
  ),
  tampered(
    'purpose of an outbound transaction',
    `UPDATE networks.sendings SET purpose = 'settlement' ${withId(REFUND)}`,
    ...[SENDS, KEYS, BATCHES],
  ),
  tampered(
    'key of an outbound transaction',
    `UPDATE networks.sendings SET key = 'gas' ${withId(REFUND)}`,
    ...[SENDS, KEYS],
  ),
  tampered(
    'call from a float that was never ordered',
    `INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
     VALUES (${NEW}, 'sandbox', ${ADDRESS}, ${KEY}, 2, ${OTHER}, '', 85, 21000, 9, 'refund')`,
    SENDS,
  ),
  tampered(
    'call from a float, labelled as a factory deployment',
    `INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
     VALUES (${NEW}, 'sandbox', ${ADDRESS}, 'gas', 2, ${OTHER}, '', 0, 21000, 9, 'factory_deployment')`,
    SENDS,
  ),
  tampered(
    'coin moved by the gas key',
    `UPDATE networks.sendings SET value = 1 ${withId(BATCH)}`,
    ...[KEYS, BATCHES, BYTES],
  ),
  tampered(
    'call of a settlement in flight',
    `UPDATE networks.sendings SET recipient = ${OTHER} ${withId(BATCH)}`,
    ...[BATCHES, BYTES],
  ),
  tampered(
    'settlement without a batch',
    `INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
     VALUES (${NEW}, 'sandbox', ${GAS_ACCOUNT}, 'gas', 1, ${OTHER}, '', 0, 21000, 9, 'settlement')`,
    BATCHES,
  ),
  tampered(
    'transaction of a batch',
    `UPDATE settlement.batches SET transaction_hash = '${REFUNDED.hash}' ${withId(BATCH)}`,
    BATCHES,
  ),
  tampered(
    'refund marked paid before its transaction is final',
    `UPDATE networks.sendings SET state = 'broadcast', mined_hash = NULL, mined_block = NULL, mined_succeeded = NULL,
       gas_cost = NULL ${withId(REFUND)}`,
    ENDS,
  ),
  tampered(
    'refund marked failed although it was paid',
    `UPDATE settlement.refund_float_payouts SET status = 'failed' ${withId(REFUND)};
     UPDATE settlement.refunds SET status = 'failed';
     UPDATE settlement.refunded_sums SET refunded = 0;
     UPDATE settlement.refund_float_holdings SET refunded = 0, balance = 95 WHERE holding <> 'native';
     ${refundEvent('failed', REFUNDED.hash)}`,
    ...[ENDS, ORDERS],
  ),
  tampered(
    'transaction of a refund and its payout',
    `UPDATE settlement.refund_float_payouts SET transaction_hash = '${SETTLED.hash}' ${withId(REFUND)};
     UPDATE settlement.refunds SET transaction_hash = '${SETTLED.hash}'`,
    ...[ENDS, EVENTS],
  ),
  tampered(
    'cost of a payout, with the float’s total',
    `UPDATE settlement.refund_float_payouts SET gas = 0 ${withId(REFUND)};
     UPDATE settlement.refund_float_holdings SET gas = 1, balance = 9 WHERE holding = 'native'`,
    ENDS,
  ),
  tampered(
    'address of a refund, with all its records',
    `UPDATE settlement.refund_float_payouts SET to_address = ${OTHER} ${withId(REFUND)};
     UPDATE settlement.refunds SET to_address = ${OTHER};
     ${refundEvent('completed', REFUNDED.hash, OTHER)}`,
    ...[ORDERS, CALLS],
  ),
  tampered(
    'amount of a refund, by a second approval event',
    refundEvent('processing', null, PAYER, '11'),
    ...[ORDERS, EVENTS],
  ),
  tampered(
    'address of a withdrawal, with its audit entry',
    `UPDATE settlement.refund_float_payouts SET to_address = ${OTHER} ${withId(WITHDRAWAL)};
     UPDATE identity.audit_log SET after = after || jsonb_build_object('to', ${OTHER}) WHERE subject_id = ${WITHDRAWAL}`,
    ...['withdrawals-go-to-settlement-addresses', 'withdrawal-events-tell-their-withdrawal', CALLS],
  ),
  tampered(
    'settlement address of a withdrawal, with its audit entry',
    `UPDATE point_of_sale.settlement_terms SET settlement_address = ${OTHER} ${withId(TERMS)};
     UPDATE identity.audit_log SET after = after || jsonb_build_object('settlement_address', ${OTHER})
       WHERE subject_id = ${TERMS}`,
    'withdrawals-go-to-settlement-addresses',
  ),
  tampered(
    'status of a withdrawal',
    `UPDATE settlement.refund_float_payouts SET status = 'failed' ${withId(WITHDRAWAL)};
     UPDATE settlement.refund_float_holdings SET withdrawn = 0, balance = 90 WHERE withdrawn > 0`,
    ...[ENDS, 'withdrawal-events-tell-their-withdrawal'],
  ),
  tampered(
    'amount received, raised to refund more',
    'UPDATE settlement.refunded_sums SET received = 1000000000000000000',
    'refunded-sums-were-received',
  ),
  tampered(
    'address of a refund float',
    `UPDATE settlement.refund_floats SET address = ${OTHER} WHERE id = ${FLOAT}`,
    ...[SENDS, 'approved-refunds-have-their-payout', 'withdrawal-events-tell-their-withdrawal'],
    'refund-floats-are-of-their-key',
  ),
  tampered(
    'token of a payout and its transaction',
    `UPDATE settlement.refund_float_payouts SET holding = ${OTHER}, call_to = ${OTHER} ${withId(WITHDRAWAL)};
     UPDATE networks.sendings SET recipient = ${OTHER} ${withId(WITHDRAWAL)};
     INSERT INTO settlement.refund_float_holdings (float_id, holding, topped_up, withdrawn, balance, block_number)
       VALUES (${FLOAT}, ${OTHER}, 5, 5, 0, 7);
     UPDATE settlement.refund_float_holdings SET withdrawn = 0, topped_up = 95 WHERE holding = ${TOKEN}`,
    ...[CALLS, BYTES, 'float-top-ups-add-up'],
  ),
  tampered(
    'transactions of a refund and a withdrawal, swapped',
    `UPDATE networks.sending_attempts SET sending_id = ${NEW} WHERE sending_id = ${REFUND};
     UPDATE networks.sending_attempts SET sending_id = ${REFUND} WHERE sending_id = ${WITHDRAWAL};
     UPDATE networks.sending_attempts SET sending_id = ${WITHDRAWAL} WHERE sending_id = ${NEW};
     UPDATE networks.sendings SET mined_hash = '${WITHDRAWN.hash}' ${withId(REFUND)};
     UPDATE networks.sendings SET mined_hash = '${REFUNDED.hash}' ${withId(WITHDRAWAL)}`,
    ...[BYTES, ENDS],
  ),
  tampered(
    'transaction of a withdrawal, replaced by a refund’s',
    `UPDATE settlement.refund_float_payouts SET transaction_hash = '${REFUNDED.hash}' ${withId(WITHDRAWAL)}`,
    ...[ENDS, 'float-payouts-have-transactions-of-their-own', 'withdrawal-events-tell-their-withdrawal'],
  ),
];
