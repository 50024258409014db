import type { TransactionFilter } from '../../application/transaction-view.js';
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from '../../domain/transaction.js';

/** The value is the prefix of the number's columns and indexes. */
export type NumberingScope = 'organization' | 'account';

/** Nearly all transactions. The index of exceptions excludes them. */
const ORDINARY_TRANSACTION = { type: 'payment_in', status: 'completed' } as const;

/** Condition of the partial indexes `transactions_exceptional_of_…`. */
export const IS_EXCEPTIONAL = `(t.type <> '${ORDINARY_TRANSACTION.type}' OR t.status <> '${ORDINARY_TRANSACTION.status}')`;

/**
 * How a filter selects transactions. - whole: all transactions of the scope. - range: all transactions between two
 * times. - most: all transactions between two times except some of the exceptional ones. - exceptions: some of the
 * exceptional transactions between two times. - reference: the transactions of one reference. - id: one
 * transaction.
 */
export type TransactionSelection = 'whole' | 'range' | 'most' | 'exceptions' | 'reference' | 'id';

export function selectionOf({
  id,
  type,
  status,
  referenceId,
  created,
}: TransactionFilter): TransactionSelection {
  if (id !== undefined) return 'id';
  if (referenceId !== undefined) return 'reference';
  if (type === undefined && status === undefined) {
    return created.from === undefined && created.before === undefined ? 'whole' : 'range';
  }
  const admitsOrdinary =
    (type ?? ORDINARY_TRANSACTION.type) === ORDINARY_TRANSACTION.type &&
    (status ?? ORDINARY_TRANSACTION.status) === ORDINARY_TRANSACTION.status;
  return admitsOrdinary ? 'most' : 'exceptions';
}

/** Contains all values if the filter has none. */
export function typeAndStatusValues({ type, status }: TransactionFilter): unknown[] {
  return [
    type === undefined ? TRANSACTION_TYPES : [type],
    status === undefined ? TRANSACTION_STATUSES : [status],
  ];
}

export function createdRangeValues({ created }: TransactionFilter): unknown[] {
  return [created.from ?? null, created.before ?? null];
}

export function filterValues(selection: TransactionSelection, filter: TransactionFilter): unknown[] {
  if (selection === 'whole') return [];
  if (selection === 'range') return createdRangeValues(filter);
  const values = [...createdRangeValues(filter), ...typeAndStatusValues(filter)];
  const exact = { reference: filter.referenceId, id: filter.id };
  return selection === 'reference' || selection === 'id' ? [...values, exact[selection]] : values;
}

export const hasSeveralStatuses = (row: string) => `${row}.type IN ('withdraw', 'refund')`;

/** Looked up by transaction number, so that covering indexes suffice. */
const currentStatus = (
  numbering: NumberingScope,
  row: string,
) => `CASE WHEN ${hasSeveralStatuses(row)} THEN COALESCE((
    SELECT s.status FROM ledger.status_changes s WHERE s.${numbering}_id = ${row}.${numbering}_id
      AND s.${numbering}_sequence = ${row}.${numbering}_sequence ORDER BY s.step DESC LIMIT 1), ${row}.status)
  ELSE ${row}.status END`;

/** @param types number of the parameter of types; statuses are the next parameter */
export const hasTypeAndStatus = (types: number, numbering: NumberingScope) =>
  `t.type = ANY($${types}::text[]) AND ${currentStatus(numbering, 't')} = ANY($${types + 1}::text[])`;

/** Filters by organization, because the index does. @param first number of the first parameter of `filterValues` */
const hasExact =
  (column: string) => (first: number) => `t.organization_id = $2 AND t.${column} = $${first + 4}
  AND ${hasTypeAndStatus(first + 2, 'organization')} AND t.created_at >= COALESCE($${first}::timestamptz, '-infinity')
  AND t.created_at < COALESCE($${first + 1}::timestamptz, 'infinity')`;

/** No row if the scope has no transactions. @param from parameter of the start; the end is the next parameter */
export const boundsCte = (numbering: NumberingScope, from: number) => `bounds AS MATERIALIZED (
  SELECT s.scope_id,
    CASE WHEN $${from}::timestamptz IS NULL THEN 0
      ELSE ledger.${numbering}_sequence_before(s.scope_id, s.last, $${from}) END AS low,
    CASE WHEN $${from + 1}::timestamptz IS NULL THEN s.last
      ELSE ledger.${numbering}_sequence_before(s.scope_id, s.last, $${from + 1}) END AS high
  FROM ledger.sequences s WHERE s.scope_id = $1 AND s.organization_id = $2
)`;

export const hasReference = hasExact('reference_id');
export const hasId = hasExact('id');

export const IS_VALID_SETTLEMENT_LINK = `NOT EXISTS (SELECT FROM ledger.status_changes c
  WHERE c.transaction_id = l.withdrawal_id AND c.status = 'failed')`;

/** Other withdrawals are paid from a float. */
export const IS_SETTLEMENT = `t.type = 'withdraw' AND t.from_type = 'vault'`;

export const IS_REFUND_BY_MERCHANT = `t.type = 'refund' AND t.from_type = 'settlement_address'`;
