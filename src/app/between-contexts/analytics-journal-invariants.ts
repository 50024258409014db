import { LEDGER_SUBSCRIBER } from '#contexts/ledger/infrastructure/subscribers/movement-event-types.js';
import { CHANGES_OF_EVENTS } from '#contexts/analytics/infrastructure/persistence/analytics-changes.sql.js';
import { IS_ANALYTICS_COMPLETE } from '#contexts/analytics/infrastructure/persistence/analytics-invariants.js';
import {
  ANALYTICS_SUBSCRIBER,
  IS_COUNTED_EVENT,
} from '#contexts/analytics/infrastructure/analytics-subscriber.js';
import type { Invariant } from '#shared/kernel/invariant.js';

const EVENTS_APPLIED_ONCE = `events AS MATERIALIZED (
  SELECT e.*, CASE WHEN (e.transaction_id, e.position) > (f.transaction_id, f.position) THEN 1 ELSE -1 END AS sign
  FROM platform.subscriber_positions f JOIN platform.subscriber_positions l ON l.subscriber = '${LEDGER_SUBSCRIBER}'
  JOIN platform.events e ON e.transaction_id >= LEAST(f.transaction_id, l.transaction_id)
    AND ((e.transaction_id, e.position) > (f.transaction_id, f.position))
      <> ((e.transaction_id, e.position) > (l.transaction_id, l.position))
  WHERE f.subscriber = '${ANALYTICS_SUBSCRIBER}' AND ${IS_COUNTED_EVENT})`;

export const analyticsJournalInvariants: Invariant[] = [
  {
    name: 'figures-agree-with-the-journal',
    promise:
      'The analytics and the ledger have the same amounts paid, deposited, reversed, settled and refunded for each account ' +
      'and asset, except for events that only one of them has applied.',
    holdsWithoutArchive: true,
    breaches: `WITH ${EVENTS_APPLIED_ONCE}
      SELECT account_id, figure, part AS unique_asset_id, sum(counted) AS counted, sum(recorded) AS recorded FROM (
        SELECT d.account_id, d.figure, d.part, d.amount AS counted, 0 AS recorded
        FROM figures.daily d JOIN figures.present USING (generation) WHERE d.account_id IS NOT NULL AND d.amount <> 0
        UNION ALL
        SELECT c.account_id, c.figure, c.part, e.sign * c.amount, 0
        FROM (SELECT sign FROM events GROUP BY sign) e CROSS JOIN LATERAL (
          WITH events AS (SELECT * FROM events one WHERE one.sign = e.sign) ${CHANGES_OF_EVENTS}) c WHERE c.amount <> 0
        UNION ALL
        SELECT t.account_id, CASE t.type WHEN 'payment_in' THEN 'paid' WHEN 'deposit' THEN 'deposited'
            WHEN 'adjustment' THEN 'reversed' WHEN 'withdraw' THEN 'settled' ELSE 'refunded' END, t.unique_asset_id, 0,
          CASE t.type WHEN 'adjustment' THEN -t.gross_amount WHEN 'withdraw' THEN t.net_amount ELSE t.gross_amount END
        FROM ledger.public_transaction_records t
        WHERE t.type IN ('payment_in', 'adjustment') OR t.type = 'deposit' AND t.source_id IS NULL
          OR t.type = 'refund' AND t.present_status = 'completed'
          OR t.type = 'withdraw' AND t.present_status <> 'failed'
            AND EXISTS (SELECT FROM settlement.public_settlement_records s WHERE s.id = t.source_id)) both_sides
      WHERE ${IS_ANALYTICS_COMPLETE} AND 2 = (SELECT count(*) FROM platform.subscriber_positions
        WHERE subscriber IN ('${ANALYTICS_SUBSCRIBER}', '${LEDGER_SUBSCRIBER}'))
      GROUP BY account_id, figure, part HAVING sum(counted) <> sum(recorded)`,
  },
];
