import type { TransactionFilter } from '../../application/transaction-view.js';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../domain/transaction.js';

/** Transactions are numbered by organization and by account; this is the first word of the columns and indexes. */
export type Numbering = 'organization' | 'account';

/** The index of exceptions leaves these out: nearly all transactions. */
const ORDINARY = { type: 'payment_in', status: 'completed' } as const;

/**
 * Condition of the partial indexes `transactions_exceptional_of_…` on the transaction `t`. What follows another record is
 * exceptional by its type.
 */
export const IS_EXCEPTIONAL = `(t.type <> '${ORDINARY.type}' OR t.status <> '${ORDINARY.status}')`;

/**
 * The ways in which a filter's transactions are found:
 * - whole: every number of the scope.
 * - range: every number between two times.
 * - most: every number between two times but those of some exceptions.
 * - exceptions: some of the exceptions between two times.
 * - reference: the transactions of one reference.
 */
export type TransactionSelection = 'whole' | 'range' | 'most' | 'exceptions' | 'reference';

export function selectionOf({ type, status, referenceId, created }: TransactionFilter): TransactionSelection {
  if (referenceId !== undefined) return 'reference';
  if (type === undefined && status === undefined) {
    return created.from === undefined && created.before === undefined ? 'whole' : 'range';
  }
  const admitsOrdinary =
    (type ?? ORDINARY.type) === ORDINARY.type && (status ?? ORDINARY.status) === ORDINARY.status;
  return admitsOrdinary ? 'most' : 'exceptions';
}

/** Parameters of a statement by types and statuses: all of them where the filter names none. */
export function kindValues({ type, status }: TransactionFilter): unknown[] {
  return [
    type === undefined ? TRANSACTION_TYPES : [type],
    status === undefined ? TRANSACTION_STATUSES : [status],
  ];
}

export function timeValues({ created }: TransactionFilter): unknown[] {
  return [created.from ?? null, created.before ?? null];
}

/** The last parameters of a statement, as far as its selection has them: from, before, types, statuses, reference. */
export function filterValues(selection: TransactionSelection, filter: TransactionFilter): unknown[] {
  if (selection === 'whole') return [];
  if (selection === 'range') return timeValues(filter);
  const values = [...timeValues(filter), ...kindValues(filter)];
  return selection === 'reference' ? [...values, filter.referenceId] : values;
}

/** True where a status may follow the first one. @param row alias of a transaction */
export const followed = (row: string) => `${row}.type IN ('withdraw', 'refund')`;

/** A transaction's present status, found by its number: an index has that, type and first status, and what follows. */
const presentStatus = (numbering: Numbering, row: string) => `CASE WHEN ${followed(row)} THEN COALESCE((
    SELECT s.status FROM ledger.status_changes s WHERE s.${numbering}_id = ${row}.${numbering}_id
      AND s.${numbering}_sequence = ${row}.${numbering}_sequence ORDER BY s.step DESC LIMIT 1), ${row}.status)
  ELSE ${row}.status END`;

/**
 * True where the transaction `t` has one of these types and, at present, one of these statuses.
 * @param types the number of its parameter; that of the statuses follows
 */
export const ofKinds = (types: number, numbering: Numbering) =>
  `t.type = ANY($${types}::text[]) AND ${presentStatus(numbering, 't')} = ANY($${types + 1}::text[])`;

/**
 * The transaction `t` is of one reference, between two times; also where accounts are numbered, organizations are the index's.
 * @param first of the parameters of `filterValues`
 */
export const ofReference = (first: number) => `t.organization_id = $2 AND t.reference_id = $${first + 4}
  AND ${ofKinds(first + 2, 'organization')} AND t.created_at >= COALESCE($${first}::timestamptz, '-infinity')
  AND t.created_at < COALESCE($${first + 1}::timestamptz, 'infinity')`;

/**
 * CTE `bounds`: the scope $1 of the organization $2, with its numbers above `low` up to `high` between two times. No row
 * where the scope has no transactions.
 * @param from the number of its parameter; that of the other time follows
 */
export const boundsOf = (numbering: Numbering, from: number) => `bounds AS MATERIALIZED (
  SELECT s.scope_id,
    CASE WHEN $${from}::timestamptz IS NULL THEN 0
      ELSE ledger.${numbering}_sequence_before(s.scope_id, s.last, $${from}) END AS low,
    CASE WHEN $${from + 1}::timestamptz IS NULL THEN s.last
      ELSE ledger.${numbering}_sequence_before(s.scope_id, s.last, $${from + 1}) END AS high
  FROM ledger.sequences s WHERE s.scope_id = $1 AND s.organization_id = $2
)`;

/** True where the link `l` counts: its settlement has not failed. */
export const COUNTS = `NOT EXISTS (SELECT FROM ledger.status_changes c
  WHERE c.transaction_id = l.withdrawal_id AND c.status = 'failed')`;

/** True where the transaction `t` is a settlement's own; other withdrawals are paid from a float. */
export const IS_SETTLEMENT = `t.type = 'withdraw' AND t.from_type = 'vault'`;

/** True where the transaction `t` is a refund that the merchant's own wallet pays. */
export const IS_BY_MERCHANT = `t.type = 'refund' AND t.from_type = 'settlement_address'`;
