import { DOLLAR } from '#contexts/payments/testing/requests/collecting-world.js';

/** The request of that reference, in SQL. */
export const request = (reference: string) =>
  `(SELECT id FROM payments.payment_requests WHERE reference_id = '${reference}')`;

/** An address of somebody else, in SQL. */
export const OTHER = `'0x00000000000000000000000000000000000000ff'`;
export const OWNER = `'01990000-0000-7000-8000-0000000000aa', '01990000-0000-7000-8000-0000000000ab'`;
export const FLOAT = `'01990000-0000-7000-8000-0000000000f1'`;
export const REFUND = `'01990000-0000-7000-8000-0000000000d1'`;
export const WITHDRAWAL = `'01990000-0000-7000-8000-0000000000d2'`;
export const TERMS = `'01990000-0000-7000-8000-0000000000b1'`;
export const ASSET = `'${DOLLAR.uniqueAssetId}'`;
export const TOKEN = `'${DOLLAR.token}'`;
/** The float's: of the private key of 32 times 01. */
export const ADDRESS = `'0x1a642f0e3c3af545e7acbd38b07251b3990914f1'`;
export const KEY = `'float:01990000-0000-7000-8000-0000000000aa'`;
export const PAYER = `'0x' || repeat('b', 40)`;
export const SETTLED_TO = `'0x' || repeat('c', 40)`;
/** The address of the gas key, which is the private key of 32 times 02. */
export const GAS_ACCOUNT = `'0x5050a4f4b3f9338c3472dcc01a87c76a144b3c9c'`;
const REQUEST = request('paid');
const TOP_UP = `'01990000-0000-7000-8000-0000000000e1'`;

/** A transaction that was signed under the chain id 31337, with fees of 3 and 1: a call, its bytes and their hash. */
interface Signed {
  readonly data: string;
  readonly raw: string;
  readonly hash: string;
}

/** The token's transfer of 10 to the payer, and of 5 to the settlement address. */
export const [REFUNDED, WITHDRAWN] = [
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
] as const satisfies readonly Signed[];

/** The gas key's call of 5e771e to `0xffff…`. */
export const SETTLED: Signed = {
  data: '5e771e',
  hash: '0x6708e63e61361082607699710135e01c81d3e8c69b34d8c381c58d0c61c59e19',
  raw: `02f868827a69800103830186a094${'f'.repeat(40)}80835e771ec001a05b066935faac5531310e9b181653e74caa07c8d4a07c33f65440d62851dde69ba00f75bd6292b12dbec7bd4e04512b9d6bae8bb6544eed2bbb55b34747ce46f7b2`,
};

interface Sent {
  readonly id: string;
  readonly sender: string;
  readonly key: string;
  readonly nonce: number;
  readonly to: string;
  readonly gasLimit: number;
  readonly purpose: string;
  readonly signed: Signed;
}

/** A final sending with its one attempt, in SQL. */
export const sent = ({
  id,
  sender,
  key,
  nonce,
  to,
  gasLimit,
  purpose,
  signed: { data, raw, hash },
}: Sent) => `
INSERT INTO networks.sendings (id, network, sender, key, nonce, recipient, data, value, gas_limit, fee_ceiling, purpose, state,
    attempts, mined_hash, mined_block, mined_succeeded, gas_cost)
  VALUES (${id}, 'sandbox', ${sender}, ${key}, ${nonce}, ${to}, '\\x${data}', 0, ${gasLimit}, 9, '${purpose}', 'final', 1,
    '${hash}', 7, true, 1);
INSERT INTO networks.sending_attempts (sending_id, number, network, hash, raw, max_fee, priority_fee)
  VALUES (${id}, 1, 'sandbox', '${hash}', '\\x${raw}', 3, 1)`;

const event = (type: string, id: string, data: string) =>
  `INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
  VALUES ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8, gen_random_uuid(), '${type}', ${id},
    ${OWNER}, now(), jsonb_strip_nulls(jsonb_build_object(${data})))`;

export const refundEvent = (status: string, hash: string | null, to = PAYER, amount = '10') =>
  event(
    'refund.status_changed',
    REFUND,
    `'status', '${status}', 'amount', '${amount}', 'network', 'sandbox', 'uniqueAssetId', ${ASSET}, 'paymentRequestId', ${REQUEST},
     'from', ${ADDRESS}, 'to', ${to}, 'transactionHash', ${hash === null ? 'NULL' : `'${hash}'`}`,
  );

const withdrawalEvent = (status: string, hash: string | null) =>
  event(
    'refund_float.withdrawal_status_changed',
    WITHDRAWAL,
    `'status', '${status}', 'amount', '5', 'network', 'sandbox', 'uniqueAssetId', ${ASSET}, 'from', ${ADDRESS},
     'to', ${SETTLED_TO}, 'transactionHash', ${hash === null ? 'NULL' : `'${hash}'`}`,
  );

const payout = (id: string, kind: string, amount: number, to: string, { data, hash }: Signed) => `
INSERT INTO settlement.refund_float_payouts (id, float_id, organization_id, account_id, network, kind, holding,
    unique_asset_id, currency, decimals, amount, to_address, gas_reserved, status, call_to, call_data, call_value,
    call_gas_limit, sent_at, transaction_hash, block_number, gas, ordered_by, from_allotment, ended_at)
  VALUES (${id}, ${FLOAT}, ${OWNER}, 'sandbox', '${kind}', ${TOKEN}, ${ASSET}, 'USDX', 6, ${amount}, ${to}, 2, 'completed',
    ${TOKEN}, '\\x${data}', 0, 21000, now(), '${hash}', 7, 1, 'credential', false, now() - interval '1 day')`;

const audited = (action: string, id: string, after: string) =>
  `INSERT INTO identity.audit_log (at, actor, action, organization_id, subject_id, after)
  VALUES (now(), 'test', '${action}', '01990000-0000-7000-8000-0000000000aa', ${id}, jsonb_build_object(${after}))`;

/** A float with 100 of a token and 10 of coin, which paid a refund of 10 and a withdrawal of 5, each with 1 of gas. */
export const HISTORY = `
INSERT INTO settlement.refund_floats (id, organization_id, account_id, network, address)
  VALUES (${FLOAT}, ${OWNER}, 'sandbox', ${ADDRESS});
INSERT INTO settlement.refund_float_holdings (float_id, holding, topped_up, refunded, withdrawn, gas, balance, block_number)
  VALUES (${FLOAT}, ${TOKEN}, 100, 10, 5, 0, 85, 7), (${FLOAT}, 'native', 10, 0, 0, 2, 8, 7);
INSERT INTO settlement.refund_float_top_ups (id, float_id, organization_id, account_id, holding, unique_asset_id, amount, block_number)
  VALUES (${TOP_UP}, ${FLOAT}, ${OWNER}, ${TOKEN}, ${ASSET}, 100, 1), (gen_random_uuid(), ${FLOAT}, ${OWNER}, 'native', NULL, 10, 1);
${event('refund_float.topped_up', TOP_UP, `'amount', '100', 'uniqueAssetId', ${ASSET}`)};
INSERT INTO settlement.refunded_sums (payment_request_id, unique_asset_id, organization_id, account_id, received, refunded)
  VALUES (${REQUEST}, ${ASSET}, ${OWNER}, 20, 10);
INSERT INTO settlement.refunds (id, organization_id, account_id, payment_request_id, point_of_sale_id, merchant_name, network,
    token, unique_asset_id, currency, decimals, amount, status, to_address, approved_at, approved_by, float_address,
    transaction_hash, created_at, updated_at)
  VALUES (${REFUND}, ${OWNER}, ${REQUEST}, ${REQUEST}, 'Shop', 'sandbox', ${TOKEN}, ${ASSET}, 'USDX', 6, 10, 'completed',
    ${PAYER}, now(), 'credential', ${ADDRESS}, '${REFUNDED.hash}', now(), now());
${payout(REFUND, 'refund', 10, PAYER, REFUNDED)};
${sent({ id: REFUND, sender: ADDRESS, key: KEY, nonce: 0, to: TOKEN, gasLimit: 21_000, purpose: 'refund', signed: REFUNDED })};
${refundEvent('processing', null)};
${refundEvent('completed', REFUNDED.hash)};
INSERT INTO point_of_sale.terms_versions (organization_id, version) VALUES ('01990000-0000-7000-8000-0000000000aa', 1);
INSERT INTO point_of_sale.settlement_terms (id, organization_id, network, settlement_address, fee_recipient, fee_basis_points,
    set_by, created_at)
  VALUES (${TERMS}, '01990000-0000-7000-8000-0000000000aa', 'sandbox', ${SETTLED_TO}, '0x' || repeat('0', 40), 0, 'test', now());
${audited(
  'settlement_terms.set',
  TERMS,
  `'network', 'sandbox', 'settlement_address', ${SETTLED_TO}, 'fee_recipient', '0x' || repeat('0', 40), 'fee_basis_points', 0`,
)};
${payout(WITHDRAWAL, 'withdrawal', 5, SETTLED_TO, WITHDRAWN)};
${sent({ id: WITHDRAWAL, sender: ADDRESS, key: KEY, nonce: 1, to: TOKEN, gasLimit: 21_000, purpose: 'float_withdrawal', signed: WITHDRAWN })};
${withdrawalEvent('processing', null)};
${withdrawalEvent('completed', WITHDRAWN.hash)};
${audited('refund_float.withdrawn', WITHDRAWAL, `'unique_asset_id', ${ASSET}, 'amount', '5', 'to', ${SETTLED_TO}`)};
`;
