import { dueIdsInTurns } from '#shared/platform/database/in-turns.sql.js';
import type { PayersAuthorization } from '#contexts/payments/domain/authorizations/authorizations.js';

/** The real cost once it is known, before that what is reserved. */
export const COST = 'COALESCE(gas_cost, reserved_cost)';

/** The transfer `t` is one that the authorization `a` makes. */
export const MATCHES = `((t.network, t.kind, t.from_address, t.to_address, t.unique_asset_id, t.amount, t.payment_request_id)
  = (a.network, 'log', a.from_address, a.to_address, a.unique_asset_id, a.value, a.payment_request_id) AND t.canonical)`;

/** The transaction of the authorization `a` and its sending `s`; a call that was reverted or cancelled carried nothing out. */
const TRANSACTION = `COALESCE(a.transaction_hash, CASE WHEN s.state IN ('mined', 'final') THEN s.mined_hash END)`;

/** The watcher has stored the transfer of the authorization `a`, sent by `s`. */
export const IS_SEEN = `(a.state = 'seen' OR EXISTS (SELECT FROM payments.transfers t
  WHERE ${MATCHES} AND t.transaction_hash = ${TRANSACTION}))`;

/** The sum of the authorizations `a`, with sendings `s`, that fulfil the condition and are not seen. */
export function unseenSum(condition: string): string {
  return `SELECT COALESCE(sum(a.value), 0) AS value FROM payments.authorizations a
    LEFT JOIN networks.public_sendings s ON s.id = a.id WHERE ${condition} AND NOT ${IS_SEEN}`;
}

/** The request `r` misses this much; null where no asset is selected. */
const MISSING = 'r.amount - r.received_amount';

/** The sum that was sent for the request `r` and may still come. */
const COMING = `(${unseenSum(
  "(a.payment_request_id, a.unique_asset_id) = (r.id, r.unique_asset_id) AND a.state = 'sent'",
)})`;

/** The authorization `$1` pays no more than what is missing and will not come without it. */
export const IS_MISSING = `EXISTS (SELECT FROM payments.authorizations mine JOIN payments.payment_requests r
  ON r.id = mine.payment_request_id WHERE mine.id = $1 AND mine.value <= ${MISSING} - ${COMING})`;

export const COLUMNS = `a.id, a.payment_request_id, a.organization_id, a.account_id, a.network, a.token, a.unique_asset_id,
  a.from_address, a.to_address, a.value, a.valid_after, a.valid_before, a.nonce, '0x' || encode(a.signature, 'hex') AS signature,
  a.reserved_cost`;

export const FIND = `SELECT ${COLUMNS}, a.state, a.failure_reason, a.failure, ${TRANSACTION} AS transaction_hash, ${IS_SEEN} AS is_seen
FROM payments.authorizations a LEFT JOIN networks.public_sendings s ON s.id = a.id
WHERE a.from_address = $3 AND a.nonce = $4 AND (a.payment_request_id = $5 OR (a.network, a.token) = ($1, $2))
ORDER BY a.payment_request_id <> $5 LIMIT 1`;

/**
 * All blocks up to the time at which the nonce of `a` was first shown as used are read, and final. Clocks of nodes differ from the
 * database's by less than the minute that is added.
 */
const IS_READ_PAST_USE = `EXISTS (SELECT FROM payments.chain_cursors c
  WHERE c.network = a.network AND c.final_time > a.used_at + interval '1 minute')`;

const dueIn = (state: 'queued' | 'sent') =>
  dueIdsInTurns({
    table: 'payments.authorizations',
    waits: `t.network = $1 AND t.state = '${state}'`,
    isDue: 't.due_at <= platform.now()',
    oldestFirst: 't.due_at, t.id',
    limit: '$2',
  });

/** At most `$2` of each state, so that none of one state delays those of the other. */
export const DUE = `SELECT ${COLUMNS}, a.state, a.refusals, ${IS_READ_PAST_USE} AS is_read_past_use,
  r.status, r.expires_at, r.unique_asset_id AS selected_asset_id, ${MISSING} AS missing, ${COMING} AS coming
FROM (${dueIn('queued')} UNION ALL ${dueIn('sent')}) taken
CROSS JOIN LATERAL (SELECT * FROM payments.authorizations WHERE id = taken.id OFFSET 0) a
LEFT JOIN payments.payment_requests r ON r.id = a.payment_request_id
ORDER BY a.state, taken.turn, a.due_at, a.id`;

export type AuthorizationRow = Omit<PayersAuthorization, 'authorization'> & {
  readonly fromAddress: string;
  readonly toAddress: string;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: string;
};

export function signedFrom({
  fromAddress: from,
  toAddress: to,
  value,
  validAfter,
  validBefore,
  nonce,
  ...rest
}: AuthorizationRow): PayersAuthorization {
  return { ...rest, authorization: { from, to, value, validAfter, validBefore, nonce } };
}
