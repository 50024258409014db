import {
  hasSeveralStatuses,
  IS_EXCEPTIONAL,
  IS_SETTLEMENT,
  type NumberingScope,
} from './transaction-selection.sql.js';

export const PERIOD_OF_LINE = `COALESCE(e.period, date_trunc('month', t.created_at AT TIME ZONE 'UTC')::date)`;

const IS_COLLECTED = `(t.type IN ('payment_in', 'adjustment') OR t.type = 'deposit' AND t.payment_request_id IS NOT NULL)`;

const amountIf = (condition: string, amount: string) => `CASE WHEN ${condition} THEN ${amount} ELSE 0 END`;

/** Signed amounts that the line `e` of the transaction `t` adds to each column of a statement. */
export const STATEMENT_PARTS = {
  collected: amountIf(`${IS_COLLECTED} AND e.ledger_account IN ('custody', 'delivered')`, 'e.amount'),
  fees: amountIf(`e.ledger_account = 'service_fees'`, 'e.amount'),
  refunds: amountIf(`t.type = 'refund' AND e.ledger_account = 'merchant_payable'`, '-e.amount'),
  // The merchant's own wallet settles immediately. A refund from that wallet reverses this.
  settled: amountIf(
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

export type StatementPartName = keyof typeof STATEMENT_PARTS;
export const STATEMENT_PART_NAMES = Object.keys(STATEMENT_PARTS) as StatementPartName[];
export const STATEMENT_AMOUNT_NAMES = ['opening', ...STATEMENT_PART_NAMES, 'closing'] as const;

/** OFFSET 0 forces an index lookup per transaction instead of a scan of all entries. */
export const JOIN_LINES = `CROSS JOIN LATERAL (SELECT * FROM ledger.entries l WHERE l.transaction_id = t.id OFFSET 0) e`;

/** True if the transaction `t` can get lines in later months. IS_EXCEPTIONAL is the condition of the partial index. */
export const GETS_LATER_LINES = `${hasSeveralStatuses('t')} AND ${IS_EXCEPTIONAL}`;

/** $1 scope, $2 organization, $3 first day of the month, $4 number before the first, $5 last number, $6 limit. */
export const chosenTransactions = (
  numbering: NumberingScope,
  which: string,
  columns: string,
) => `chosen AS MATERIALIZED (
  SELECT ${columns}, t.${numbering}_sequence AS sequence FROM ledger.transactions t
  WHERE t.${numbering}_id = $1 AND t.organization_id = $2
    AND t.${numbering}_sequence > $4::bigint AND t.${numbering}_sequence <= $5::bigint AND ${which}
  ORDER BY t.${numbering}_sequence LIMIT $6::bigint
), batch_end AS MATERIALIZED (SELECT max(sequence) AS last, count(*) AS records FROM chosen)`;

export interface BatchEnd {
  readonly records: number;
  readonly last: number | null;
}

export async function* readBatches<Row extends BatchEnd>(
  read: (above: number) => Promise<Row[]>,
  { low, high, size }: { readonly low: number; readonly high: number; readonly size: number },
): AsyncGenerator<readonly Row[], void> {
  for (let above: number | null = low; above !== null && above < high;) {
    const rows: Row[] = await read(above);
    yield rows;
    const { records, last } = rows[0]!;
    above = records === size ? last : null;
  }
}
