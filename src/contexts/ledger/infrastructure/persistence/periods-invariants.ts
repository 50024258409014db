import type { Invariant } from '#shared/kernel/invariant.js';
import { STATEMENT_PARTS, STATEMENT_PART_NAMES, PERIOD_OF_LINE } from './journal-parts.sql.js';

const SUM_OF_PARTS = STATEMENT_PART_NAMES.map((name) => STATEMENT_PARTS[name]).join(' + ');

export const periodsInvariants: Invariant[] = [
  {
    name: 'ledger-statements-are-the-journal',
    promise:
      'For each account and asset, the statements add up to the amount owed to the merchant minus direct deliveries ' +
      'and gas costs, and their fees add up to the service fees in the journal.',
    breaches: `SELECT e.account_id, e.unique_asset_id, sum(${SUM_OF_PARTS}) AS held
      FROM ledger.entries e JOIN ledger.transactions t ON t.id = e.transaction_id
      GROUP BY e.account_id, e.unique_asset_id
      HAVING sum(${SUM_OF_PARTS}) <> COALESCE(-sum(e.amount) FILTER (WHERE e.ledger_account IN ('merchant_payable', 'delivered', 'gas_spent')), 0)
        OR sum(${STATEMENT_PARTS.fees}) <> COALESCE(sum(e.amount) FILTER (WHERE e.ledger_account = 'service_fees'), 0)`,
  },
  {
    name: 'ledger-closed-statements-are-the-journal',
    promise:
      'Each stored statement of a closed month has the journal’s closing balance and the month’s amounts, exact to ' +
      'the smallest unit.',
    breaches: `WITH months AS (
        SELECT e.organization_id, e.account_id, e.unique_asset_id, ${PERIOD_OF_LINE} AS period,
          ${STATEMENT_PART_NAMES.map((name) => `sum(${STATEMENT_PARTS[name]}) AS ${name}`).join(', ')}, sum(${SUM_OF_PARTS}) AS total
        FROM ledger.entries e JOIN ledger.transactions t ON t.id = e.transaction_id
        WHERE e.organization_id IN (SELECT organization_id FROM ledger.closed_periods)
        GROUP BY e.organization_id, e.account_id, e.unique_asset_id, 4
      ), journal AS (
        SELECT c.organization_id, c.period, m.account_id, m.unique_asset_id, sum(m.total) AS closing,
          ${STATEMENT_PART_NAMES.map((name) => `COALESCE(sum(m.${name}) FILTER (WHERE m.period = c.period), 0) AS ${name}`).join(', ')}
        FROM ledger.closed_periods c
        JOIN months m ON m.organization_id = c.organization_id AND m.period <= c.period
        WHERE c.is_stored GROUP BY c.organization_id, c.period, m.account_id, m.unique_asset_id
      )
      SELECT organization_id, period, account_id, unique_asset_id, s.closing AS stored, j.closing AS booked
      FROM ledger.closed_statements s FULL JOIN journal j USING (organization_id, period, account_id, unique_asset_id)
      WHERE ${['closing', ...STATEMENT_PART_NAMES].map((name) => `COALESCE(s.${name}, 0) <> COALESCE(j.${name}, 0)`).join(' OR ')}`,
  },
  {
    name: 'ledger-closed-periods-in-order',
    promise:
      'The closed months of an organization have no gap, and the first open month follows the last closed one.',
    breaches: `SELECT p.organization_id, p.last, p.first, p.count, s.closed_before FROM (
        SELECT organization_id, max(period) AS last, min(period) AS first, count(*) FROM ledger.closed_periods
        GROUP BY organization_id) p
      LEFT JOIN ledger.sequences s ON s.scope_id = p.organization_id
      WHERE (p.last + interval '1 month')::date IS DISTINCT FROM s.closed_before
        OR (extract(year FROM age(p.last, p.first)) * 12 + extract(month FROM age(p.last, p.first)))::bigint + 1 <> p.count`,
  },
];
