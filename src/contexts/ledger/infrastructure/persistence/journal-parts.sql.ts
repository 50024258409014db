import { followed, IS_EXCEPTIONAL, IS_SETTLEMENT, type Numbering } from './transaction-selection.sql.js';

/** The first day of the month in which the line `e` of the transaction `t` stands. */
export const PERIOD = `COALESCE(e.period, date_trunc('month', t.created_at AT TIME ZONE 'UTC')::date)`;

/** True where the transaction `t` is money that a payer sent, or takes some of it back. */
const IS_COLLECTED = `(t.type IN ('payment_in', 'adjustment') OR t.type = 'deposit' AND t.payment_request_id IS NOT NULL)`;

const of = (condition: string, amount: string) => `CASE WHEN ${condition} THEN ${amount} ELSE 0 END`;

/**
 * The parts of a statement that the line `e` of the transaction `t` changes, signed. Together they are what changes of the
 * money that the service holds for the merchant: what it owes less what sending has cost and what went straight to the merchant.
 */
export const PARTS = {
  collected: of(`${IS_COLLECTED} AND e.ledger_account IN ('custody', 'delivered')`, 'e.amount'),
  fees: of(`e.ledger_account = 'service_fees'`, 'e.amount'),
  refunds: of(`t.type = 'refund' AND e.ledger_account = 'merchant_payable'`, '-e.amount'),
  // Money that the merchant's own wallet received is settled with it; a refund from there takes both back.
  settled: of(
    `${IS_SETTLEMENT} AND e.ledger_account IN ('merchant_payable', 'rounding') OR e.ledger_account = 'delivered'`,
    '-e.amount',
  ),
  other: `CASE
      WHEN ${IS_SETTLEMENT} AND e.ledger_account = 'rounding' THEN e.amount
      WHEN e.ledger_account = 'gas_spent' THEN -e.amount
      WHEN e.ledger_account IN ('merchant_payable', 'service_fees') AND NOT (${IS_COLLECTED} OR t.type = 'refund' OR ${IS_SETTLEMENT})
        THEN -e.amount
      ELSE 0 END`,
} as const;

export type PartName = keyof typeof PARTS;
export const PART_NAMES = Object.keys(PARTS) as PartName[];
/** The amounts of a statement, in their order. */
export const AMOUNT_NAMES = ['opening', ...PART_NAMES, 'closing'] as const;

/**
 * Joins the lines `e` of the transactions `t`, which are few of very many: by the key of each, whatever the planner expects, since a
 * pass over the whole journal for every batch would never end.
 */
export const THEIR_LINES = `CROSS JOIN LATERAL (SELECT * FROM ledger.entries l WHERE l.transaction_id = t.id OFFSET 0) e`;

/** The transaction `t` may get lines in months after its own. The second condition is that of the index of the few. */
export const GETS_LATER_LINES = `${followed('t')} AND ${IS_EXCEPTIONAL}`;

/**
 * CTEs `chosen`, records `t` by their numbers, and `looked`, how many these are and the last of their numbers. $1 scope,
 * $2 organization, $3 first day of the month, $4 above this number, $5 up to this, $6 how many records.
 */
export const chosen = (numbering: Numbering, which: string, columns: string) => `chosen AS MATERIALIZED (
  SELECT ${columns}, t.${numbering}_sequence AS sequence FROM ledger.transactions t
  WHERE t.${numbering}_id = $1 AND t.organization_id = $2
    AND t.${numbering}_sequence > $4::bigint AND t.${numbering}_sequence <= $5::bigint AND ${which}
  ORDER BY t.${numbering}_sequence LIMIT $6::bigint
), looked AS MATERIALIZED (SELECT max(sequence) AS last, count(*) AS records FROM chosen)`;
