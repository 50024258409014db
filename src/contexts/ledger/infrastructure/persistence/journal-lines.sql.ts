import {
  chosenTransactions,
  GETS_LATER_LINES,
  STATEMENT_PARTS,
  STATEMENT_PART_NAMES,
  PERIOD_OF_LINE,
  JOIN_LINES,
} from './journal-parts.sql.js';
import type { NumberingScope } from './transaction-selection.sql.js';

/** Maximum age of a recorded rate that values a journal line. */
const RATE_VALID_FOR = `interval '2 hours'`;

/** A line in an asset other than the transaction's is in a native coin, whose asset id ends with its symbol. */
const SYMBOL_OF_LINE = `CASE WHEN e.unique_asset_id = t.unique_asset_id THEN t.currency
  ELSE substr(e.unique_asset_id, length(t.network) + 4) END`;

/** The transaction that the adjustment `t` reverses (the deposit, the aggregated deposit or the payment). */
const JOIN_REVERSED_TRANSACTION = `LEFT JOIN LATERAL (SELECT b.deposit_id FROM payments.public_booked_transfers b
    WHERE t.type = 'adjustment' AND b.id = t.transfer_id LIMIT 1) g ON true
  LEFT JOIN LATERAL (
    SELECT o.* FROM ledger.transactions o
    WHERE t.type = 'adjustment' AND (o.type = 'deposit' AND o.transfer_id = COALESCE(g.deposit_id, t.transfer_id)
      OR o.type = 'payment_in' AND o.payment_request_id = t.payment_request_id)
    ORDER BY o.type LIMIT 1) o ON true`;

const selectLines = (numbering: NumberingScope, which: string) => `
WITH ${chosenTransactions(numbering, which, 't.*')}
SELECT batch_end.*, l.* FROM batch_end LEFT JOIN LATERAL (
  SELECT t.id AS transaction_id, t.sequence, e.line, t.type, t.account_id, t.account_external_id, ${PERIOD_OF_LINE} AS stands,
    to_char(${PERIOD_OF_LINE}, 'YYYY-MM') AS period, to_char(e.booked_for, 'YYYY-MM') AS booked_for,
    COALESCE(t.occurred_at, t.created_at) AS occurred_at, t.created_at, e.ledger_account, e.unique_asset_id, e.amount,
    ${SYMBOL_OF_LINE} AS symbol, CASE WHEN e.unique_asset_id = t.unique_asset_id THEN t.decimals END AS decimals,
    t.network, t.payment_request_id, t.reference_id, t.transaction_hash,
    ${STATEMENT_PART_NAMES.map((name) => `${STATEMENT_PARTS[name]} AS ${name}`).join(', ')},
    c.currency AS books_currency, k.coin_code, k.rate, k.rate_sources, k.rate_at,
    r.price AS recorded_price, r.sources AS recorded_sources, r.at AS recorded_at
  FROM chosen t ${JOIN_LINES}
  ${JOIN_REVERSED_TRANSACTION}
  CROSS JOIN LATERAL (SELECT COALESCE(o.occurred_at, o.created_at, t.occurred_at, t.created_at) AS at) m
  LEFT JOIN LATERAL (SELECT b.currency FROM ledger.book_currencies b WHERE b.account_id = t.account_id AND b.since <= m.at
    ORDER BY b.since DESC LIMIT 1) c ON true
  LEFT JOIN payments.public_locked_rates k ON k.payment_request_id = t.payment_request_id
    AND k.organization_id = t.organization_id AND k.unique_asset_id = e.unique_asset_id
    AND COALESCE(o.type, t.type) = 'payment_in'
  LEFT JOIN LATERAL (SELECT x.price, x.sources, x.at FROM ledger.recorded_rates x
    WHERE x.symbol = ${SYMBOL_OF_LINE} AND x.currency = c.currency AND x.recorded_at <= m.at AND x.recorded_at > m.at - ${RATE_VALID_FOR}
    ORDER BY x.recorded_at DESC LIMIT 1) r ON true
) l ON l.stands = $3::date
ORDER BY l.sequence, l.line`;

const journalQueriesOf = (numbering: NumberingScope) => ({
  /** Excludes transactions after the close of the month. $1 scope, $2 organization, $3 first day of the month. */
  bounds: `
SELECT ledger.${numbering}_sequence_before(s.scope_id, s.last, $3::date::timestamp AT TIME ZONE 'UTC') AS low,
  COALESCE((SELECT ledger.${numbering}_sequence_before(s.scope_id, s.last, t.created_at + interval '1 microsecond')
    FROM ledger.closed_periods c
    JOIN ledger.transactions t ON t.organization_id = c.organization_id AND t.organization_sequence = c.last
    WHERE c.organization_id = $2 AND c.period = $3::date), s.last) AS high
FROM ledger.sequences s WHERE s.scope_id = $1 AND s.organization_id = $2`,
  records: selectLines(numbering, 'true'),
  laterLines: selectLines(numbering, GETS_LATER_LINES),
});

export const JOURNAL_QUERIES: Readonly<Record<NumberingScope, ReturnType<typeof journalQueriesOf>>> = {
  organization: journalQueriesOf('organization'),
  account: journalQueriesOf('account'),
};
