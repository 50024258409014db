import {
  STATEMENT_AMOUNT_NAMES,
  chosenTransactions,
  GETS_LATER_LINES,
  STATEMENT_PARTS,
  STATEMENT_PART_NAMES,
  PERIOD_OF_LINE,
  JOIN_LINES,
} from './journal-parts.sql.js';
import type { NumberingScope } from './transaction-selection.sql.js';

const COLUMNS_TO_SUM = `t.id, t.account_id, t.type, t.from_type, t.payment_request_id, t.unique_asset_id, t.currency, t.decimals, t.created_at`;

const selectSums = (numbering: NumberingScope, which: string) => `
WITH ${chosenTransactions(numbering, which, COLUMNS_TO_SUM)}
SELECT batch_end.*, s.* FROM batch_end LEFT JOIN (
  SELECT t.account_id, e.unique_asset_id, to_char(${PERIOD_OF_LINE}, 'YYYY-MM') AS period,
    max(t.currency) FILTER (WHERE e.unique_asset_id = t.unique_asset_id) AS currency,
    max(t.decimals) FILTER (WHERE e.unique_asset_id = t.unique_asset_id) AS decimals,
    ${STATEMENT_PART_NAMES.map((name) => `sum(${STATEMENT_PARTS[name]}) AS ${name}`).join(', ')}
  FROM chosen t ${JOIN_LINES}
  WHERE ${PERIOD_OF_LINE} <= $3::date
  GROUP BY t.account_id, e.unique_asset_id, 3
) s ON true`;

const statementQueriesOf = (numbering: NumberingScope) => ({
  /**
   * Only later lines can be in a month after their booking. One statement, because the month can be reopened
   * concurrently. $1 scope, $2 organization, $3 first day of the month.
   */
  carried: `
WITH known AS MATERIALIZED (
  SELECT c.period, s.last AS high, CASE WHEN c.period IS NULL THEN 0
    ELSE ledger.${numbering}_sequence_before(s.scope_id, s.last, (c.period + interval '1 month') AT TIME ZONE 'UTC') END AS low
  FROM ledger.sequences s, (SELECT max(period) AS period FROM ledger.closed_periods
    WHERE organization_id = $2 AND is_stored AND period <= $3::date) c
  WHERE s.scope_id = $1 AND s.organization_id = $2
)
SELECT to_char(k.period, 'YYYY-MM') AS stored, k.low, k.high, c.account_id, c.unique_asset_id, c.currency, c.decimals,
  ${STATEMENT_AMOUNT_NAMES.map((name) => `c.${name}`).join(', ')}
FROM known k LEFT JOIN ledger.closed_statements c ON c.organization_id = $2 AND c.period = k.period AND c.${numbering}_id = $1`,
  records: selectSums(numbering, 'true'),
  laterLines: selectSums(numbering, GETS_LATER_LINES),
});

export const STATEMENT_QUERIES: Readonly<Record<NumberingScope, ReturnType<typeof statementQueriesOf>>> = {
  organization: statementQueriesOf('organization'),
  account: statementQueriesOf('account'),
};
