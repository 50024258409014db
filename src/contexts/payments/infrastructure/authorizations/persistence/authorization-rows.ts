import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import type { PayerAuthorization } from '#contexts/payments/domain/authorizations/authorization.js';

export const ACTUAL_OR_RESERVED_COST = 'COALESCE(gas_cost, reserved_cost)';

export const IS_MATCHING_TRANSFER = `((t.network, t.kind, t.from_address, t.to_address, t.unique_asset_id, t.amount, t.payment_request_id)
  = (a.network, 'log', a.from_address, a.to_address, a.unique_asset_id, a.value, a.payment_request_id) AND t.canonical)`;

/** Null for a reverted or cancelled call, which moves no funds. */
const TRANSACTION = `COALESCE(a.transaction_hash, CASE WHEN s.state IN ('mined', 'final') THEN s.mined_hash END)`;

export const IS_SEEN = `(a.state = 'seen' OR EXISTS (SELECT FROM payments.transfers t
  WHERE ${IS_MATCHING_TRANSFER} AND t.transaction_hash = ${TRANSACTION}))`;

export function unseenSumSql(condition: string): string {
  return `SELECT COALESCE(sum(a.value), 0) AS value FROM payments.authorizations a
    LEFT JOIN networks.public_sendings s ON s.id = a.id WHERE ${condition} AND NOT ${IS_SEEN}`;
}

const REMAINING_AMOUNT = 'r.amount - r.received_amount';

const UNSEEN_AMOUNT = `(${unseenSumSql(
  "(a.payment_request_id, a.unique_asset_id) = (r.id, r.unique_asset_id) AND a.state = 'sent'",
)})`;

/** True if the authorization pays at most the remaining amount, less the sent but unseen amount. */
export const IS_WITHIN_REMAINING_AMOUNT = `EXISTS (SELECT FROM payments.authorizations mine JOIN payments.payment_requests r
  ON r.id = mine.payment_request_id WHERE mine.id = $1 AND mine.value <= ${REMAINING_AMOUNT} - ${UNSEEN_AMOUNT})`;

export const AUTHORIZATION_COLUMNS = `a.id, a.payment_request_id, a.organization_id, a.account_id, a.network, a.token, a.unique_asset_id,
  a.from_address, a.to_address, a.value, a.valid_after, a.valid_before, a.nonce, '0x' || encode(a.signature, 'hex') AS signature,
  a.reserved_cost`;

export const FIND_AUTHORIZATION = `SELECT ${AUTHORIZATION_COLUMNS}, a.state, a.failure_reason, a.failure, ${TRANSACTION} AS transaction_hash, ${IS_SEEN} AS is_seen
FROM payments.authorizations a LEFT JOIN networks.public_sendings s ON s.id = a.id
WHERE a.from_address = $3 AND a.nonce = $4 AND (a.payment_request_id = $5 OR (a.network, a.token) = ($1, $2))
ORDER BY a.payment_request_id <> $5 LIMIT 1`;

/** A minute past the first use of the nonce, because clocks of nodes may differ. */
const IS_READ_PAST_USE = `EXISTS (SELECT FROM payments.chain_cursors c
  WHERE c.network = a.network AND c.final_time > a.used_at + interval '1 minute')`;

const dueInStateSql = (state: 'queued' | 'sent') =>
  selectDueIdsRoundRobin({
    table: 'payments.authorizations',
    waits: `t.network = $1 AND t.state = '${state}'`,
    isDue: 't.due_at <= platform.now()',
    oldestFirst: 't.due_at, t.id',
    limit: '$2',
  });

/** Selects at most `$2` rows of each state, so that one state cannot delay the other. */
export const DUE_AUTHORIZATIONS = `SELECT ${AUTHORIZATION_COLUMNS}, a.state, a.refusals, ${IS_READ_PAST_USE} AS is_read_past_use,
  r.status, r.expires_at, r.unique_asset_id AS selected_asset_id, ${REMAINING_AMOUNT} AS missing, ${UNSEEN_AMOUNT} AS coming
FROM (${dueInStateSql('queued')} UNION ALL ${dueInStateSql('sent')}) taken
CROSS JOIN LATERAL (SELECT * FROM payments.authorizations WHERE id = taken.id OFFSET 0) a
LEFT JOIN payments.payment_requests r ON r.id = a.payment_request_id
ORDER BY a.state, taken.turn, a.due_at, a.id`;

export type AuthorizationRow = Omit<PayerAuthorization, 'authorization'> & {
  readonly fromAddress: string;
  readonly toAddress: string;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: string;
};

export function toSignedAuthorization({
  fromAddress: from,
  toAddress: to,
  value,
  validAfter,
  validBefore,
  nonce,
  ...rest
}: AuthorizationRow): PayerAuthorization {
  return { ...rest, authorization: { from, to, value, validAfter, validBefore, nonce } };
}
