import { DOLLAR } from '#contexts/payments/testing/requests/collecting-world.js';

const request = (reference: string) =>
  `(SELECT id FROM payments.payment_requests WHERE reference_id = '${reference}')`;

const OTHER = `'0x00000000000000000000000000000000000000ff'`;
const OWNER = `'01990000-0000-7000-8000-0000000000aa', '01990000-0000-7000-8000-0000000000ab'`;
const FLOAT = `'01990000-0000-7000-8000-0000000000f1'`;
const REFUND = `'01990000-0000-7000-8000-0000000000d1'`;
const WITHDRAWAL = `'01990000-0000-7000-8000-0000000000d2'`;
const TERMS = `'01990000-0000-7000-8000-0000000000b1'`;
const ASSET = `'${DOLLAR.uniqueAssetId}'`;
const TOKEN = `'${DOLLAR.token}'`;
/** Address of the refund float, whose private key is 32 bytes of 01. */
export const FLOAT_ADDRESS_SQL = `'0x1a642f0e3c3af545e7acbd38b07251b3990914f1'`;
const FLOAT_KEY = `'float:01990000-0000-7000-8000-0000000000aa'`;
const PAYER = `'0x' || repeat('b', 40)`;
const SETTLED_TO = `'0x' || repeat('c', 40)`;
/** Address of the gas key, whose private key is 32 bytes of 02. */
const GAS_ACCOUNT = `'0x5050a4f4b3f9338c3472dcc01a87c76a144b3c9c'`;
const REQUEST = request('paid');
const TOP_UP = `'01990000-0000-7000-8000-0000000000e1'`;

/** A transaction signed for chain id 31337 with fees of 3 and 1: the call data, the signed bytes and their hash. */
interface SignedSampleCall {
  readonly data: string;
  readonly raw: string;
  readonly hash: string;
}

/** Signed token transfers of 10 to the payer and of 5 to the settlement address. */
const [REFUNDED, WITHDRAWN] = [
  {
    data: `a9059cbb000000000000000000000000${'b'.repeat(40)}${'0'.repeat(63)}a`,
    hash: '0x707035a8043fa8ec5397fe2a8936000a84a3cb03d4beabd15414c49799b3abb5',
    raw: `02f8a9827a6980010382520894${'d1'.repeat(20)}80b844a9059cbb000000000000000000000000${'b'.repeat(40)}${'0'.repeat(63)}ac080a0b71d567b37a6be8efe21e469f4b3f90f6e19799e81f1d10a495c2bf6f0d54f7ea01ac14f76efde4d5c0a0641a8b55701796ea4fc9d56040d41c0df08823be93ee1`,
  },
  {
    data: `a9059cbb000000000000000000000000${'c'.repeat(40)}${'0'.repeat(63)}5`,
    hash: '0x81c3d710fd2b0eae27ae9c29c58aa02f2994044b6591a8ebe5e49dc52d9a1ffe',
    raw: `02f8a9827a6901010382520894${'d1'.repeat(20)}80b844a9059cbb000000000000000000000000${'c'.repeat(40)}${'0'.repeat(63)}5c001a0eaea864efdb2061c096bb72ab966c349ae30f30176ab7055b5f055b31ec36c8ea023d3e6d0eb74aceef81e2b5d2a3e2d3e5669eb9cfeedeb8212102a3ba4d60d3d`,
  },
] as const satisfies readonly SignedSampleCall[];

/** Signed call of the gas key with data 5e771e to `0xffff…`. */
const SETTLED: SignedSampleCall = {
  data: '5e771e',
  hash: '0x6708e63e61361082607699710135e01c81d3e8c69b34d8c381c58d0c61c59e19',
  raw: `02f868827a69800103830186a094${'f'.repeat(40)}80835e771ec001a05b066935faac5531310e9b181653e74caa07c8d4a07c33f65440d62851dde69ba00f75bd6292b12dbec7bd4e04512b9d6bae8bb6544eed2bbb55b34747ce46f7b2`,
};

interface SentCall {
  readonly id: string;
  readonly sender: string;
  readonly key: string;
  readonly nonce: number;
  readonly to: string;
  readonly gasLimit: number;
  readonly purpose: string;
  readonly signed: SignedSampleCall;
}

const insertSentTransaction = ({
  id,
  sender,
  key,
  nonce,
  to,
  gasLimit,
  purpose,
  signed: { data, raw, hash },
}: SentCall) => `
INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, state,
    attempts, mined_hash, mined_block, mined_succeeded, gas_cost)
  VALUES (${id}, 'sandbox', ${sender}, ${key}, ${nonce}, ${to}, '\\x${data}', 0, ${gasLimit}, 9, '${purpose}', 'final', 1,
    '${hash}', 7, true, 1);
INSERT INTO networks.sending_attempts (sending_id, number, network, hash, raw, max_fee, priority_fee)
  VALUES (${id}, 1, 'sandbox', '${hash}', '\\x${raw}', 3, 1)`;

const insertEvent = (type: string, id: string, data: string) =>
  `INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  VALUES ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8, gen_random_uuid(), '${type}', ${id},
    ${OWNER}, now(), jsonb_strip_nulls(jsonb_build_object(${data})))`;

const insertRefundEvent = (status: string, hash: string | null, to = PAYER, amount = '10') =>
  insertEvent(
    'refund.status_changed',
    REFUND,
    `'status', '${status}', 'amount', '${amount}', 'network', 'sandbox', 'uniqueAssetId', ${ASSET}, 'paymentRequestId', ${REQUEST},
     'from', ${FLOAT_ADDRESS_SQL}, 'to', ${to}, 'transactionHash', ${hash === null ? 'NULL' : `'${hash}'`}`,
  );

const insertWithdrawalEvent = (status: string, hash: string | null) =>
  insertEvent(
    'refund_float.withdrawal_status_changed',
    WITHDRAWAL,
    `'status', '${status}', 'amount', '5', 'network', 'sandbox', 'uniqueAssetId', ${ASSET}, 'from', ${FLOAT_ADDRESS_SQL},
     'to', ${SETTLED_TO}, 'transactionHash', ${hash === null ? 'NULL' : `'${hash}'`}`,
  );

const insertFloatPayout = (
  id: string,
  kind: string,
  amount: number,
  to: string,
  { data, hash }: SignedSampleCall,
) => `
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
    unique_asset_id, currency, decimals, amount, to_address, gas_reserved, status, call_to, call_data, call_value,
    call_gas_limit, sent_at, transaction_hash, block_number, gas, ordered_by, from_allotment, ended_at)
  VALUES (${id}, ${FLOAT}, ${OWNER}, 'sandbox', '${kind}', ${TOKEN}, ${ASSET}, 'USDX', 6, ${amount}, ${to}, 2, 'completed',
    ${TOKEN}, '\\x${data}', 0, 21000, now(), '${hash}', 7, 1, 'credential', false, now() - interval '1 day')`;

const insertAuditEntry = (action: string, id: string, after: string) =>
  `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
  VALUES (now(), 'test', '${action}', '01990000-0000-7000-8000-0000000000aa', ${id}, jsonb_build_object(${after}))`;

/**
 * SQL for a float with 100 tokens and 10 coins that paid a refund of 10 and a withdrawal of 5, each with 1 coin of
 * gas.
 */
const FLOAT_HISTORY = `
INSERT INTO settlement.refund_floats (id, organization_id, account_id, network, address)
  VALUES (${FLOAT}, ${OWNER}, 'sandbox', ${FLOAT_ADDRESS_SQL});
INSERT INTO settlement.refund_float_holdings (float_id, holding, topped_up, refunded, withdrawn, gas, balance, block_number)
  VALUES (${FLOAT}, ${TOKEN}, 100, 10, 5, 0, 85, 7), (${FLOAT}, 'native', 10, 0, 0, 2, 8, 7);
INSERT INTO settlement.refund_float_top_ups (id, float_id, organization_id, account_id, holding, unique_asset_id, amount, block_number)
  VALUES (${TOP_UP}, ${FLOAT}, ${OWNER}, ${TOKEN}, ${ASSET}, 100, 1), (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'native', NULL, 10, 1);
${insertEvent('refund_float.topped_up', TOP_UP, `'amount', '100', 'uniqueAssetId', ${ASSET}`)};
INSERT INTO settlement.refunded_sums (payment_request_id, unique_asset_id, organization_id, account_id, received, refunded)
  VALUES (${REQUEST}, ${ASSET}, ${OWNER}, 20, 10);
INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name, network,
    token, unique_asset_id, currency, decimals, amount, status, to_address, approved_at, approved_by, float_address,
    transaction_hash, created_at, updated_at)
  VALUES (${REFUND}, ${OWNER}, ${REQUEST}, ${REQUEST}, 'Shop', 'sandbox', ${TOKEN}, ${ASSET}, 'USDX', 6, 10, 'completed',
    ${PAYER}, now(), 'credential', ${FLOAT_ADDRESS_SQL}, '${REFUNDED.hash}', now(), now());
${insertFloatPayout(REFUND, 'refund', 10, PAYER, REFUNDED)};
${insertSentTransaction({ id: REFUND, sender: FLOAT_ADDRESS_SQL, key: FLOAT_KEY, nonce: 0, to: TOKEN, gasLimit: 21_000, purpose: 'refund', signed: REFUNDED })};
${insertRefundEvent('processing', null)};
${insertRefundEvent('completed', REFUNDED.hash)};
INSERT INTO point_of_sale.terms_versions (organization_id, version) VALUES ('01990000-0000-7000-8000-0000000000aa', 1);
INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient, fee_basis_points,
    set_by, created_at)
  VALUES (${TERMS}, '01990000-0000-7000-8000-0000000000aa', 'sandbox', ${SETTLED_TO}, '0x' || repeat('0', 40), 0, 'test', now());
${insertAuditEntry(
  'settlement_terms.set',
  TERMS,
  `'network', 'sandbox', 'settlement_address', ${SETTLED_TO}, 'fee_recipient', '0x' || repeat('0', 40), 'fee_basis_points', 0`,
)};
${insertFloatPayout(WITHDRAWAL, 'withdrawal', 5, SETTLED_TO, WITHDRAWN)};
${insertSentTransaction({ id: WITHDRAWAL, sender: FLOAT_ADDRESS_SQL, key: FLOAT_KEY, nonce: 1, to: TOKEN, gasLimit: 21_000, purpose: 'float_withdrawal', signed: WITHDRAWN })};
${insertWithdrawalEvent('processing', null)};
${insertWithdrawalEvent('completed', WITHDRAWN.hash)};
${insertAuditEntry('refund_float.withdrawn', WITHDRAWAL, `'unique_asset_id', ${ASSET}, 'amount', '5', 'to', ${SETTLED_TO}`)};
`;

/**
 * A tampering with the database of `audited-world.ts`, in SQL with triggers disabled, and all invariants that must
 * detect it.
 */
export interface Tampering {
  readonly name: string;
  readonly sql: string;
  readonly reportedBy: readonly string[];
}

/** SQL for a mined outbound transaction with one attempt. @param mined transaction hash recorded as mined */
const insertMinedTransaction = (
  attempts: number,
  mined: string,
) => `INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient,
    data, value, gas_limit, fee_ceiling, purpose, state, attempts, mined_hash, mined_block, mined_succeeded)
  VALUES ('01990000-0000-7000-8000-000000000001', 'sandbox', '0x' || repeat('a', 40), 'gas', 0, '0x' || repeat('b', 40), '', 0,
    21000, 1, 'factory_deployment', 'final', ${attempts}, '0x' || repeat('${mined}', 64), 1, true);
  INSERT INTO networks.sending_attempts (sending_id, number, network, hash, raw, max_fee)
  VALUES ('01990000-0000-7000-8000-000000000001', 1, 'sandbox', '0x' || repeat('1', 64), 'raw', 1)`;

const assignAddressNumber = (last: number, owner: string) => `
INSERT INTO payments.address_numbers (network, numbering, organization_id, next_number)
  SELECT network, 'wallet', ${owner}, ${last + 1} FROM payments.deposit_addresses
  WHERE payment_request_id = ${request('open')};
UPDATE payments.deposit_addresses SET number = 0, numbering_id = (SELECT max(id) FROM payments.address_numbers)
  WHERE payment_request_id = ${request('open')}`;

/** SQL for a Bitcoin output to a payment request, first seen in the mempool. @param times SQL: seen, arrived, lapses */
const insertSeenOutput = (times: string, block = 'block_number, block_hash, block_time') => `
INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time, seen_at,
    arrived_at, lapses_at, evidence, unique_asset_id, currency, decimals, required_confirmations, from_address, to_address,
    amount, payment_request_id, organization_id, account_id, counted, final, detected_at)
  SELECT gen_random_uuid(), network, 'output', '0xfd', 0, ${block}, ${times}, '{}', unique_asset_id, currency, decimals,
    required_confirmations, from_address, to_address, amount, payment_request_id, organization_id, account_id, false, false,
    detected_at
  FROM payments.transfers JOIN payments.chain_cursors USING (network)
  WHERE payment_request_id = ${request('processing')} LIMIT 1`;

const insertRow = (object: string, answer: string, age: string) => `INSERT INTO platform.idempotency_keys
    (credential_id, key, operation, request_digest, execution_id, object_id, answer, created_at)
  SELECT gen_random_uuid(), 'forged', 'POST /v1/pos/:posID/payment-request', sha256('forged'), gen_random_uuid(), id,
    ${answer}, platform.now() - interval '${age}' FROM (SELECT ${object} AS id) o`;

const SOME_REQUEST = `(SELECT id FROM payments.payment_requests ORDER BY id LIMIT 1)`;

const insertPayout = (index: number, blockHash = 't.block_hash') => `
  INSERT INTO payments.payouts (id, group_id, network, transaction_hash, log_index, block_number, block_hash, block_time,
    from_address, address, unique_asset_id, currency, decimals, to_settlement, to_fee, payment_request_id, organization_id,
    account_id, final)
  SELECT gen_random_uuid(), gen_random_uuid(), t.network, '0xfe', ${index}, t.block_number, ${blockHash}, t.block_time, '0xfa',
    t.to_address, t.unique_asset_id, t.currency, t.decimals, t.amount, 0, t.payment_request_id, t.organization_id, t.account_id,
    true
  FROM payments.transfers t WHERE t.payment_request_id = ${request('paid')} AND t.counted ORDER BY t.block_number DESC LIMIT 1`;

const ID = `'01990000-0000-7000-8000-00000000000a'`;

/**
 * SQL for a settlement of nonexistent payouts of one address.
 * @param amount amount recorded for the address, which had 99
 */
const insertSettlement = (
  amount: number,
) => `INSERT INTO settlement.settlements (id, payouts_id, organization_id, account_id,
    network, unique_asset_id, currency, decimals, amount, fee_amount, settlement_address, paid_from, transaction_hash,
    payment_count, status, created_at, updated_at)
  SELECT ${ID}, ${ID}, organization_id, id, 'sandbox', 'nsandbox_tETH', 'ETH', 18, ${amount}, 1, '0xa', '0xb', '0xc', 1,
    'completed', platform.now(), platform.now() FROM identity.accounts LIMIT 1;
  INSERT INTO settlement.settled_addresses (settlement_id, number, payment_request_id, address, to_settlement, to_fee,
    fee_basis_points) VALUES (${ID}, 1, ${ID}, '0xd', 99, 1, 100)`;

/** SQL for a batch of one nonexistent payout. @param count number of payouts recorded in the batch */
const insertBatch = (
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

const BATCH = `'01990000-0000-7000-8000-00000000000b'`;
const FACTORY = `'0x' || repeat('f', 40)`;
/** SQL for an address with capital letters, as batches store it. */
const MIXED_CASE_ADDRESS = `'0x' || repeat('F', 40)`;
const NEW = `'01990000-0000-7000-8000-0000000000d3'`;

const SETTLEMENT = `
INSERT INTO settlement.batches (id, network, sender, recipient, data, gas_limit, payout_count, state, transaction_hash,
    created_at, updated_at)
  VALUES (${BATCH}, 'sandbox', ${GAS_ACCOUNT}, ${MIXED_CASE_ADDRESS}, '\\x${SETTLED.data}', 100000, 1, 'final', '${SETTLED.hash}',
    platform.now(), platform.now());
INSERT INTO settlement.batch_payouts (batch_id, number, organization_id, account_id, payment_request_id, address,
    unique_asset_id, to_settlement, to_fee)
  VALUES (${BATCH}, 1, ${OWNER}, ${NEW}, '0xd', ${ASSET}, 99, 1);
${insertSentTransaction({ id: BATCH, sender: GAS_ACCOUNT, key: `'gas'`, nonce: 0, to: FACTORY, gasLimit: 100_000, purpose: 'settlement', signed: SETTLED })};
`;

const PAYMENT = `WHERE type = 'payment_in' AND reference_id = 'paid'`;
const SELECTION = `WHERE aggregate_id = ${request('session')} AND type = 'payment_request.asset_selected'
  AND data ->> 'currency' = 'EURX'`;

const BOOKS = `
-- gross amount of a payment: ledger-confirmed-posted-once, ledger-custody-is-what-came, ledger-payment-in-entries, ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET gross_amount = gross_amount + 1 ${PAYMENT}
-- fee of a payment, withheld from the merchant: ledger-confirmed-posted-once, ledger-payment-in-entries, ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET net_amount = net_amount - 1 ${PAYMENT}
-- expected amount of a payment: ledger-confirmed-posted-once, ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET expected_amount = expected_amount + 1 ${PAYMENT}
-- asset of a payment: ledger-confirmed-posted-once, ledger-custody-is-what-came, ledger-payment-in-entries, ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET unique_asset_id = 'nsandbox_tETH' ${PAYMENT}
-- symbol of a payment: ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET currency = 'EURX' ${PAYMENT}
-- decimals of a payment: ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET decimals = 18 ${PAYMENT}
-- account of a payment: ledger-confirmed-posted-once, ledger-custody-is-what-came, ledger-one-owner, ledger-payment-in-tells-its-event, ledger-sequences-gapless
UPDATE ledger.transactions SET account_id = (SELECT id FROM identity.accounts WHERE external_id = 'branch') ${PAYMENT}
-- payer of a payment: ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET from_address = ${OTHER} ${PAYMENT}
-- deposit address of a payment: ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET to_address = ${OTHER} ${PAYMENT}
-- hash of a payment: ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET transaction_hash = '0x00' ${PAYMENT}
-- hash of a deposit: ledger-deposit-tells-its-event
UPDATE ledger.transactions SET transaction_hash = NULL WHERE type = 'deposit' AND reference_id = 'paid'
-- reference of a payment: ledger-payment-in-tells-its-event
UPDATE ledger.transactions SET reference_id = 'other' ${PAYMENT}
-- time of a payment, backdated: ledger-payment-in-tells-its-event, ledger-times-follow-numbers
UPDATE ledger.transactions SET created_at = created_at - interval '1 day', updated_at = updated_at - interval '1 day' ${PAYMENT}
-- adjustment reduced, with its entries and balances: ledger-adjustment-tells-its-event, ledger-reversals-posted-once
UPDATE ledger.transactions SET gross_amount = gross_amount + 100, net_amount = net_amount + 99, expected_amount = expected_amount + 100 WHERE type = 'adjustment';
UPDATE ledger.entries e SET amount = amount + CASE ledger_account WHEN 'custody' THEN 100 WHEN 'merchant_payable' THEN -99 ELSE -1 END
  FROM ledger.transactions t WHERE t.id = e.transaction_id AND t.type = 'adjustment';
UPDATE ledger.balances SET amount = amount + CASE ledger_account WHEN 'custody' THEN 100 WHEN 'merchant_payable' THEN -99 ELSE -1 END
-- amount of an open request: asked-amounts-match-events
UPDATE payments.payment_requests SET amount = amount - 1 WHERE reference_id = 'open'
-- asset of an open request: asked-amounts-match-events, payable-coins-are-watched
UPDATE payments.payment_requests SET unique_asset_id = 'nsandbox_tETH', currency = 'ETH', decimals = 18 WHERE reference_id = 'open'
-- deadline of an open request: deadlines-match-events
UPDATE payments.payment_requests SET expires_at = expires_at + interval '1 day', counts_until = counts_until + interval '1 day' WHERE reference_id = 'open'
-- grace of an open request: deadlines-match-events
UPDATE payments.payment_requests SET counts_until = counts_until + interval '1 hour' WHERE reference_id = 'open'
-- tolerance of an open request: tolerances-match-events
UPDATE payments.payment_requests SET underpayment_tolerance = '{"basisPoints": 500, "atMost": "1000"}' WHERE reference_id = 'open'
-- point of sale of a request: events-have-their-request
UPDATE payments.payment_requests SET point_of_sale_id = gen_random_uuid() WHERE reference_id = 'open'
-- reference of a request: events-have-their-request
UPDATE payments.payment_requests SET reference_id = 'other' WHERE reference_id = 'open'
-- creation time of a request, backdated: request-times-are-of-its-steps
UPDATE payments.payment_requests SET created_at = created_at - interval '1 day' WHERE reference_id = 'open'
-- amount of a request in payment, with its transfer: received-amounts-match-events, sums-are-what-was-sent
UPDATE payments.payment_requests SET received_amount = received_amount + 1 WHERE reference_id = 'processing';
UPDATE payments.transfers SET amount = amount + 1 WHERE payment_request_id = ${request('processing')}
-- invented transfer to a paid request, with amount and status: confirmations-tell-their-request, one-event-for-each-step, one-step-for-each-event, received-amounts-match-events
INSERT INTO payments.transfers (id, network, kind, transaction_hash, index, block_number, block_hash, block_time,
  unique_asset_id, currency, decimals, required_confirmations, from_address, to_address, amount, payment_request_id,
  organization_id, account_id, counted, final, detected_at)
  SELECT gen_random_uuid(), network, kind, '0xfe', 0, block_number, block_hash, block_time, unique_asset_id, currency,
  decimals, required_confirmations, from_address, to_address, 1000000, payment_request_id, organization_id, account_id,
  true, true, detected_at
  FROM payments.transfers WHERE payment_request_id = ${request('paid')} AND counted LIMIT 1;
UPDATE payments.payment_requests SET received_amount = received_amount + 1000000, status = 'overpaid' WHERE reference_id = 'paid';
UPDATE payments.status_history SET status = 'overpaid' WHERE payment_request_id = ${request('paid')} AND status = 'completed'
-- transfer to a paid request, erased with its amount: confirmations-tell-their-request, received-amounts-match-events, state-changes-are-edges
DELETE FROM payments.transfers WHERE payment_request_id = ${request('paid')} AND counted AND amount = 4000000;
UPDATE payments.payment_requests SET received_amount = received_amount - 4000000, status = 'underpaid' WHERE reference_id = 'paid'
-- deposit, erased: booked-transfers-match-events, one-event-for-each-deposit
DELETE FROM payments.transfers WHERE payment_request_id = ${request('paid')} AND deposited_at IS NOT NULL
-- hash of a deposited transfer: booked-transfers-match-events
UPDATE payments.transfers SET transaction_hash = '0xfe' WHERE payment_request_id = ${request('paid')} AND deposited_at IS NOT NULL
-- deposit address of an open request: addresses-match-events
UPDATE payments.deposit_addresses SET address = ${OTHER} WHERE payment_request_id = ${request('open')}
-- second address for an open request: addresses-match-events
INSERT INTO payments.deposit_addresses (network, address, payment_request_id, organization_id, account_id, unique_asset_id,
  derivation, settlement_terms_id, settlement_address, fee_recipient, fee_basis_points, created_at)
  SELECT network, ${OTHER}, payment_request_id, organization_id, account_id, unique_asset_id, derivation, settlement_terms_id,
  settlement_address, fee_recipient, fee_basis_points, created_at
  FROM payments.deposit_addresses WHERE payment_request_id = ${request('open')}
-- settlement address of a deposit address: addresses-are-of-their-terms
UPDATE payments.deposit_addresses SET settlement_address = ${OTHER} WHERE payment_request_id = ${request('open')}
-- deposit address, marked as the merchant’s own: booked-transfers-match-events, confirmations-tell-their-request
UPDATE payments.deposit_addresses SET delivered = true WHERE payment_request_id = ${request('paid')}
-- fee of a deposit address, with its confirmed payment: addresses-are-of-their-terms, booked-transfers-match-events, confirmations-tell-their-request
UPDATE payments.deposit_addresses SET fee_basis_points = 500 WHERE payment_request_id = ${request('paid')}
-- amount of an earlier selection: selected-amounts-are-worth-the-price, selections-match-events
UPDATE payments.selections SET amount = amount - 1 WHERE payment_request_id = ${request('session')} AND currency = 'EURX'
-- step of a history, backdated: one-step-for-each-event, request-times-are-of-its-steps
UPDATE payments.status_history SET at = at - interval '1 minute' WHERE payment_request_id = ${request('paid')} AND status IN ('created', 'processing')
-- last steps of a history, erased with the outcome: one-step-for-each-event, receipts-are-of-final-payments, sums-are-what-was-sent, what-is-paid-is-decided
DELETE FROM payments.status_history WHERE payment_request_id = ${request('paid')} AND status IN ('completed', 'confirmed');
UPDATE payments.payment_requests SET status = 'processing', confirmed_at = NULL WHERE reference_id = 'paid'
-- request, erased with its history and addresses: addresses-match-events, events-have-their-request, one-step-for-each-event
DELETE FROM payments.status_history WHERE payment_request_id = ${request('open')};
DELETE FROM payments.deposit_addresses WHERE payment_request_id = ${request('open')};
DELETE FROM payments.payment_requests WHERE reference_id = 'open'
-- gap in the numbering of a wallet’s addresses: numbers-are-gapless
${assignAddressNumber(1, 'organization_id')}
-- owner of a wallet’s addresses: numbered-addresses-are-of-one-organization
${assignAddressNumber(0, 'gen_random_uuid()')}
-- pending transfer, kept too long: pending-transfers-lapse
${insertSeenOutput(`final_time - interval '2 hours', final_time - interval '2 hours', final_time - interval '2 hours'`, 'NULL, NULL, NULL')}
-- first-seen time of a transfer, after its record: seen-times-stay
${insertSeenOutput(`detected_at + interval '1 hour', detected_at, detected_at + interval '2 hours'`)}
-- arrival time of a pending transfer: arrived-by-first-sight
${insertSeenOutput(`detected_at - interval '1 hour', detected_at, detected_at`)}
-- event id: events-are-as-sealed
UPDATE platform.events SET id = gen_random_uuid() ${SELECTION}
-- event type: events-are-as-sealed, selections-match-events
UPDATE platform.events SET type = 'payment_request.something' ${SELECTION}
-- event aggregate_id: addresses-match-events, events-are-as-sealed, selections-match-events
UPDATE platform.events SET aggregate_id = ${request('open')} ${SELECTION}
-- event organization_id: events-are-as-sealed, events-have-their-request
UPDATE platform.events SET organization_id = gen_random_uuid() ${SELECTION}
-- event account_id: events-are-as-sealed, events-have-their-request
UPDATE platform.events SET account_id = gen_random_uuid() ${SELECTION}
-- event occurred_at: events-are-as-sealed
UPDATE platform.events SET occurred_at = occurred_at + interval '1 second' ${SELECTION}
-- event transaction_id: events-are-as-sealed
UPDATE platform.events SET transaction_id = '3' ${SELECTION}
-- event position: asked-amounts-match-events, events-are-as-sealed
UPDATE platform.events SET position = DEFAULT ${SELECTION}
-- event data: events-are-as-sealed, selections-match-events
UPDATE platform.events SET data = jsonb_set(data, '{amount}', '"1"') ${SELECTION}
-- request, erased with all references: events-are-as-sealed
DELETE FROM platform.events WHERE aggregate_id = ${request('open')};
DELETE FROM payments.status_history WHERE payment_request_id = ${request('open')};
DELETE FROM payments.deposit_addresses WHERE payment_request_id = ${request('open')};
DELETE FROM payments.payment_requests WHERE reference_id = 'open'
-- request, erased with all references and later seals: events-are-as-sealed
DELETE FROM platform.seals WHERE number >= (SELECT min(s.number) FROM platform.seals s JOIN platform.events e
  ON e.aggregate_id = ${request('open')} AND (s.transaction_id, s.position) >= (e.transaction_id, e.position)) AND number < (SELECT max(number) FROM platform.seals);
DELETE FROM platform.events WHERE aggregate_id = ${request('open')};
DELETE FROM payments.status_history WHERE payment_request_id = ${request('open')};
DELETE FROM payments.deposit_addresses WHERE payment_request_id = ${request('open')};
DELETE FROM payments.payment_requests WHERE reference_id = 'open'
-- event inserted in the sealed log: events-are-as-sealed
INSERT INTO platform.events (id, transaction_id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT gen_random_uuid(), transaction_id, 'payment_request.something', aggregate_id, organization_id, account_id, occurred_at, '{}'
  FROM platform.events ORDER BY transaction_id LIMIT 1
-- seal: events-are-as-sealed
UPDATE platform.seals SET digest = sha256('other') WHERE number = 1
-- all seals, erased: events-are-as-sealed
DELETE FROM platform.seals
-- settlement address of terms: settlement-terms-are-as-audited
UPDATE point_of_sale.settlement_terms SET settlement_address = ${OTHER} WHERE network = 'polygon'
-- settlement terms, inserted: settlement-terms-are-as-audited
INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient, fee_basis_points, set_by, created_at)
  SELECT gen_random_uuid(), organization_id, network, ${OTHER}, fee_recipient, 100, set_by, created_at FROM point_of_sale.settlement_terms LIMIT 1;
UPDATE point_of_sale.terms_versions SET version = version + 1
-- roles of a credential: credentials-are-as-audited
UPDATE identity.credentials SET roles = '{read,write}'
-- allowed addresses of a credential: credentials-are-as-audited
UPDATE identity.credentials SET allowed_addresses = '{}'
-- account of a credential: credentials-are-as-audited
UPDATE identity.credentials SET account_id = (SELECT id FROM identity.accounts WHERE external_id = 'branch')
-- secret of a credential: credential-secrets-are-as-audited
UPDATE identity.credentials SET secret_digest = sha256('known')
-- credential, erased: credentials-are-as-audited
DELETE FROM identity.credentials
-- underpayment tolerance of an account: underpayment-tolerances-are-as-audited
UPDATE identity.accounts SET underpayment_tolerance = '{"basisPoints": 500, "atMost": "1000"}'
-- tax id of an account, inserted: brandings-are-as-audited
INSERT INTO identity.brandings (organization_id, account_id, tax_id, updated_at)
  SELECT organization_id, id, 'DE1', now() FROM identity.accounts LIMIT 1
-- approval: approvals-are-as-audited
UPDATE identity.organizations SET approved_at = now()
-- time zone of an organization: time-zones-are-as-audited
UPDATE identity.organizations SET time_zone = 'Asia/Tokyo'
-- URL of a webhook: webhooks-are-as-audited
UPDATE webhooks.webhooks SET url = 'https://other.example'
-- audit entries of a credential, erased: credential-birth-is-audited, credentials-are-as-audited
DELETE FROM identity.audit_log WHERE action = 'credential.created'
-- head of a network: cursors-are-of-stored-blocks, nothing-stays-past-its-deadline
UPDATE payments.chain_cursors SET head_time = head_time + interval '1 hour' WHERE network = 'sandbox'
-- finality of a network: cursors-are-of-stored-blocks
UPDATE payments.chain_cursors SET final_time = head_time WHERE network = 'sandbox'
-- time of a stored block: block-times-follow-numbers
UPDATE payments.blocks SET time = time + interval '2 minutes' WHERE network = 'sandbox' AND number = 3
-- clock: clock-is-not-moved
UPDATE platform.clock_offset SET value = interval '1 second'
-- decimals of a request: asked-amounts-match-events, decimals-are-of-the-catalogue, one-decimals-for-each-asset
UPDATE payments.payment_requests SET decimals = 8 WHERE reference_id = 'open'
-- idempotency key of a nonexistent request: idempotency-keys-have-their-request
${insertRow('gen_random_uuid()', `jsonb_build_object('id', id)::text`, '1 hour')}
-- request returned for an idempotency key: idempotency-keys-have-their-request
${insertRow(SOME_REQUEST, `jsonb_build_object('id', gen_random_uuid())::text`, '1 hour')}
-- idempotency key, kept too long: idempotency-keys-are-pruned
${insertRow(SOME_REQUEST, `jsonb_build_object('id', id)::text`, '26 hours')}
-- secret in the stored answer of an idempotency key: idempotency-keys-hold-no-secret
${insertRow(SOME_REQUEST, `jsonb_build_object('id', id, 'secret', 'known')::text`, '1 hour')}
-- mined attempt of an outbound transaction: sendings-are-mined-by-their-attempts, signed-bytes-are-of-their-sending
${insertMinedTransaction(1, '2')}
-- attempt of an outbound transaction, erased: sendings-have-their-attempts, signed-bytes-are-of-their-sending
${insertMinedTransaction(2, '1')}
-- cancelled outbound transaction, marked executed: sendings-are-cancelled-by-their-attempts, signed-bytes-are-of-their-sending
${insertMinedTransaction(1, '1')}; UPDATE networks.sending_attempts SET cancels = true
`;

const REFUNDS = `
-- amount of a refund: approved-refunds-have-their-payout, refund-events-tell-their-refund, refunds-stay-within-what-was-received
UPDATE settlement.refunds SET amount = 21
-- sum of a request’s refunds: refunds-stay-within-what-was-received
UPDATE settlement.refunded_sums SET refunded = 0
-- account of a refund’s sum: refunds-share-their-tenant
UPDATE settlement.refunded_sums SET account_id = gen_random_uuid()
-- recipient of a refund: approved-refunds-have-their-payout, refund-events-tell-their-refund
UPDATE settlement.refunds SET to_address = ${FLOAT_ADDRESS_SQL}
-- payer of a refund: approved-refunds-have-their-payout, refund-events-tell-their-refund
UPDATE settlement.refunds SET paid_by = 'merchant', float_address = NULL, transaction_hash = 'ab'
-- payer of a refund, with an event: approved-refunds-have-their-payout, orders-of-floats-never-change
UPDATE settlement.refunds SET paid_by = 'merchant', float_address = NULL;
INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  SELECT transaction_id, gen_random_uuid(), type, aggregate_id, organization_id, account_id, now(),
  data || '{"paidBy": "merchant"}'
  FROM platform.events WHERE aggregate_id = ${REFUND} AND data ->> 'status' = 'completed'
-- payout of a refund that was never requested: approved-refunds-have-their-payout, float-payouts-add-up
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
  unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by,
  from_allotment)
  VALUES (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'sandbox', 'refund', ${TOKEN}, ${ASSET}, 'USDX', 6, 5, ${PAYER}, 0, 'me',
  false)
-- reserved amount of a refund float: float-payouts-add-up
UPDATE settlement.refund_float_holdings SET reserved = 5
-- topped-up total of a refund float: float-balances-are-explained, float-top-ups-add-up
UPDATE settlement.refund_float_holdings SET topped_up = 1000
-- balance of a refund float: float-balances-are-explained
UPDATE settlement.refund_float_holdings SET balance = 90
-- top-up of a refund float: float-top-ups-add-up, top-up-events-tell-their-top-up
UPDATE settlement.refund_float_top_ups SET amount = 99
-- status of a refund: approved-refunds-have-their-payout, refund-events-tell-their-refund, refunds-stay-within-what-was-received
UPDATE settlement.refunds SET status = 'failed'
-- withdrawal from a refund float, inserted: withdrawal-events-tell-their-withdrawal, withdrawals-go-to-settlement-addresses, withdrawals-of-floats-are-as-audited
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
  unique_asset_id, currency, decimals, amount, to_address, gas_reserved, ordered_by,
  from_allotment)
  VALUES (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'sandbox', 'withdrawal', ${TOKEN}, ${ASSET}, 'USDX', 6, 5, ${PAYER}, 0, 'me',
  false);
UPDATE settlement.refund_float_holdings SET reserved = 5 WHERE holding <> 'native'
-- refund limit, inserted: refund-limits-are-as-audited
INSERT INTO settlement.refund_limits (account_id, unique_asset_id, organization_id, subject_id, set_by)
  VALUES (gen_random_uuid(), ${ASSET}, gen_random_uuid(), gen_random_uuid(), 'me')
-- allotment of an account, inserted: refund-allotments-are-as-audited
INSERT INTO settlement.refund_allotments (account_id, unique_asset_id, organization_id, subject_id, allotted, set_by)
  VALUES (gen_random_uuid(), ${ASSET}, gen_random_uuid(), gen_random_uuid(), 1, 'me')
-- source of a refund: refunds-stay-within-allotments
UPDATE settlement.refund_float_payouts SET from_allotment = true
-- refund basis of an organization, inserted: refund-bases-are-as-audited
INSERT INTO settlement.refund_bases (organization_id, basis, set_by) VALUES (gen_random_uuid(), 'received', 'me')
`;

const SENT = `
-- call of a payout only: float-calls-pay-what-was-ordered, floats-send-what-was-ordered
UPDATE settlement.refund_float_payouts SET call_to = ${OTHER}, call_data = '', call_value = 10 WHERE id = ${REFUND}
-- call of a payout and its outbound transaction: float-calls-pay-what-was-ordered, signed-bytes-are-of-their-sending
UPDATE settlement.refund_float_payouts SET call_to = ${OTHER}, call_data = '', call_value = 10 WHERE id = ${REFUND};
UPDATE networks.sendings SET recipient = ${OTHER}, data = '', value = 10 WHERE id = ${REFUND}
-- call of an outbound transaction only: floats-send-what-was-ordered, signed-bytes-are-of-their-sending
UPDATE networks.sendings SET recipient = ${OTHER} WHERE id = ${REFUND}
-- signed bytes of an attempt: signed-bytes-are-of-their-sending
UPDATE networks.sending_attempts SET raw = 'nothing' WHERE sending_id = ${REFUND}
-- signed bytes of an attempt, replaced by another key’s: float-payouts-end-as-mined, sendings-are-mined-by-their-attempts, sendings-have-their-attempts, signed-bytes-are-of-their-sending
DELETE FROM networks.sending_attempts WHERE sending_id = ${BATCH};
UPDATE networks.sending_attempts SET raw = '\\x${SETTLED.raw}', hash = '${SETTLED.hash}' WHERE sending_id = ${REFUND};
UPDATE networks.sendings SET mined_hash = '${SETTLED.hash}' WHERE id = ${REFUND}
-- nonce of an outbound transaction: signed-bytes-are-of-their-sending
UPDATE networks.sendings SET nonce = 9 WHERE id = ${REFUND}
-- account of an outbound transaction: floats-send-what-was-ordered, signed-bytes-are-of-their-sending
UPDATE networks.sendings SET sender = ${OTHER} WHERE id = ${REFUND}
-- fees of an attempt: signed-bytes-are-of-their-sending
UPDATE networks.sending_attempts SET max_fee = 2 WHERE sending_id = ${REFUND}
-- purpose of an outbound transaction: floats-send-what-was-ordered, sendings-are-of-keys-that-may, settlements-are-sent-as-chosen
UPDATE networks.sendings SET purpose = 'settlement' WHERE id = ${REFUND}
-- key of an outbound transaction: floats-send-what-was-ordered, sendings-are-of-keys-that-may
UPDATE networks.sendings SET key = 'gas' WHERE id = ${REFUND}
-- call from a float that was never ordered: floats-send-what-was-ordered
INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
  VALUES (${NEW}, 'sandbox', ${FLOAT_ADDRESS_SQL}, ${FLOAT_KEY}, 2, ${OTHER}, '', 85, 21000, 9, 'refund')
-- call from a float, labelled as a factory deployment: floats-send-what-was-ordered
INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
  VALUES (${NEW}, 'sandbox', ${FLOAT_ADDRESS_SQL}, 'gas', 2, ${OTHER}, '', 0, 21000, 9, 'factory_deployment')
-- coin moved by the gas key: sendings-are-of-keys-that-may, settlements-are-sent-as-chosen, signed-bytes-are-of-their-sending
UPDATE networks.sendings SET value = 1 WHERE id = ${BATCH}
-- call of a settlement in flight: settlements-are-sent-as-chosen, signed-bytes-are-of-their-sending
UPDATE networks.sendings SET recipient = ${OTHER} WHERE id = ${BATCH}
-- settlement without a batch: settlements-are-sent-as-chosen
INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose)
  VALUES (${NEW}, 'sandbox', ${GAS_ACCOUNT}, 'gas', 1, ${OTHER}, '', 0, 21000, 9, 'settlement')
-- transaction of a batch: settlements-are-sent-as-chosen
UPDATE settlement.batches SET transaction_hash = '${REFUNDED.hash}' WHERE id = ${BATCH}
-- refund marked paid before its transaction is final: float-payouts-end-as-mined
UPDATE networks.sendings SET state = 'broadcast', mined_hash = NULL, mined_block = NULL, mined_succeeded = NULL,
  gas_cost = NULL WHERE id = ${REFUND}
-- refund marked failed although it was paid: float-payouts-end-as-mined, orders-of-floats-never-change
UPDATE settlement.refund_float_payouts SET status = 'failed' WHERE id = ${REFUND};
UPDATE settlement.refunds SET status = 'failed';
UPDATE settlement.refunded_sums SET refunded = 0;
UPDATE settlement.refund_float_holdings SET refunded = 0, balance = 95 WHERE holding <> 'native';
${insertRefundEvent('failed', REFUNDED.hash)}
-- transaction of a refund and its payout: float-payouts-end-as-mined, refund-events-tell-their-refund
UPDATE settlement.refund_float_payouts SET transaction_hash = '${SETTLED.hash}' WHERE id = ${REFUND};
UPDATE settlement.refunds SET transaction_hash = '${SETTLED.hash}'
-- cost of a payout, with the float’s total: float-payouts-end-as-mined
UPDATE settlement.refund_float_payouts SET gas = 0 WHERE id = ${REFUND};
UPDATE settlement.refund_float_holdings SET gas = 1, balance = 9 WHERE holding = 'native'
-- address of a refund, with all its records: float-calls-pay-what-was-ordered, orders-of-floats-never-change
UPDATE settlement.refund_float_payouts SET to_address = ${OTHER} WHERE id = ${REFUND};
UPDATE settlement.refunds SET to_address = ${OTHER};
${insertRefundEvent('completed', REFUNDED.hash, OTHER)}
-- amount of a refund, by a second approval event: orders-of-floats-never-change, refund-events-tell-their-refund
${insertRefundEvent('processing', null, PAYER, '11')}
-- address of a withdrawal, with its audit entry: float-calls-pay-what-was-ordered, withdrawal-events-tell-their-withdrawal, withdrawals-go-to-settlement-addresses
UPDATE settlement.refund_float_payouts SET to_address = ${OTHER} WHERE id = ${WITHDRAWAL};
UPDATE identity.audit_log SET after = after || jsonb_build_object('to', ${OTHER}) WHERE subject_id = ${WITHDRAWAL}
-- settlement address of a withdrawal, with its audit entry: withdrawals-go-to-settlement-addresses
UPDATE point_of_sale.settlement_terms SET settlement_address = ${OTHER} WHERE id = ${TERMS};
UPDATE identity.audit_log SET after = after || jsonb_build_object('settlement_address', ${OTHER})
  WHERE subject_id = ${TERMS}
-- status of a withdrawal: float-payouts-end-as-mined, withdrawal-events-tell-their-withdrawal
UPDATE settlement.refund_float_payouts SET status = 'failed' WHERE id = ${WITHDRAWAL};
UPDATE settlement.refund_float_holdings SET withdrawn = 0, balance = 90 WHERE withdrawn > 0
-- amount received, raised to refund more: refunded-sums-were-received
UPDATE settlement.refunded_sums SET received = 1000000000000000000
-- address of a refund float: approved-refunds-have-their-payout, floats-send-what-was-ordered, refund-floats-are-of-their-key, withdrawal-events-tell-their-withdrawal
UPDATE settlement.refund_floats SET address = ${OTHER} WHERE id = ${FLOAT}
-- token of a payout and its transaction: float-calls-pay-what-was-ordered, float-top-ups-add-up, signed-bytes-are-of-their-sending
UPDATE settlement.refund_float_payouts SET holding = ${OTHER}, call_to = ${OTHER} WHERE id = ${WITHDRAWAL};
UPDATE networks.sendings SET recipient = ${OTHER} WHERE id = ${WITHDRAWAL};
INSERT INTO settlement.refund_float_holdings (float_id, holding, topped_up, withdrawn, balance, block_number)
  VALUES (${FLOAT}, ${OTHER}, 5, 5, 0, 7);
UPDATE settlement.refund_float_holdings SET withdrawn = 0, topped_up = 95 WHERE holding = ${TOKEN}
-- transactions of a refund and a withdrawal, swapped: float-payouts-end-as-mined, signed-bytes-are-of-their-sending
UPDATE networks.sending_attempts SET sending_id = ${NEW} WHERE sending_id = ${REFUND};
UPDATE networks.sending_attempts SET sending_id = ${REFUND} WHERE sending_id = ${WITHDRAWAL};
UPDATE networks.sending_attempts SET sending_id = ${WITHDRAWAL} WHERE sending_id = ${NEW};
UPDATE networks.sendings SET mined_hash = '${WITHDRAWN.hash}' WHERE id = ${REFUND};
UPDATE networks.sendings SET mined_hash = '${REFUNDED.hash}' WHERE id = ${WITHDRAWAL}
-- transaction of a withdrawal, replaced by a refund’s: float-payouts-end-as-mined, float-payouts-have-transactions-of-their-own, withdrawal-events-tell-their-withdrawal
UPDATE settlement.refund_float_payouts SET transaction_hash = '${REFUNDED.hash}' WHERE id = ${WITHDRAWAL}
`;

const SETTLEMENTS = `
-- amount waiting at a deposit address: settlement-waiting-is-what-events-say
UPDATE settlement.waiting SET amount = amount - 1 WHERE amount > 1
-- settlement that was never sent: settled-addresses-are-of-payouts, settlement-events-follow-edges, settlement-records-are-of-payouts
${insertSettlement(99)}
-- settlement above the balance of its addresses: settled-addresses-are-of-payouts, settlement-amounts-are-sums, settlement-events-follow-edges, settlement-records-are-of-payouts
${insertSettlement(100)}
-- payout of a batch, erased: settlement-batches-have-their-payouts, settlements-are-sent-as-chosen
${insertBatch('b', '0xa', 2)}
-- second batch of the same address: settlement-batches-share-no-address, settlements-are-sent-as-chosen
${insertBatch('b', '0xa', 1)};${insertBatch('c', '0xc', 1)}
-- invented payout of a payment: payouts-match-events
${insertPayout(0)}
-- invented payout in an unread block: payouts-match-events, payouts-stand-in-read-blocks
${insertPayout(0, `'0xfe'`)}
-- invented payout, twice under one log: one-payout-for-each-log, payouts-match-events
DROP INDEX payments.payouts_unique_by_log; ${insertPayout(0)}; ${insertPayout(0)}
`;

const parseTamperings = (text: string, before = ''): Tampering[] =>
  text
    .trim()
    .split(/^-- /m)
    .slice(1)
    .map((row) => {
      const [, name, reportedBy, sql] = /^(.+?): (.+)\n([^]+)$/.exec(row)!;
      return { name: name!, sql: before + sql!, reportedBy: reportedBy!.split(', ') };
    });

export const tamperings: readonly Tampering[] = [
  ...parseTamperings(BOOKS),
  ...parseTamperings(REFUNDS, FLOAT_HISTORY),
  ...parseTamperings(SENT, FLOAT_HISTORY + SETTLEMENT),
  ...parseTamperings(SETTLEMENTS),
];
