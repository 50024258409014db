import { PAID_WITHIN_SECONDS } from '../../contract/daily-analytics.js';

export const dayOfSql = (time: string) => `(${time} AT TIME ZONE 'UTC')::date`;

export const paidWithinSql = (from: string, to: string) => `COALESCE((SELECT min(most)::text
  FROM unnest('{${PAID_WITHIN_SECONDS.join()}}'::int[]) most WHERE ${to} - ${from} <= make_interval(secs => most)), 'longer')`;

export const EVENT_FIELDS = `type text, aggregate_id uuid, organization_id uuid, account_id uuid, occurred_at timestamptz, data jsonb`;

const OPENED_REQUEST = `JOIN payments.public_status_steps opened ON opened.payment_request_id = e.aggregate_id AND opened.step = 1`;

/**
 * A change depends only on its event and on immutable records, so events of different aggregates may arrive in any
 * order.
 */
export const CHANGES_OF_EVENTS = `
SELECT e.organization_id, e.account_id, ${dayOfSql('opened.at')} AS day, 'requests' AS figure, moved.status AS part,
  moved.number, 0::numeric AS amount
FROM events e ${OPENED_REQUEST}
JOIN payments.public_status_steps step ON step.payment_request_id = e.aggregate_id AND step.status = e.data ->> 'status'
LEFT JOIN payments.public_status_steps before
  ON before.payment_request_id = e.aggregate_id AND before.step = step.step - 1
CROSS JOIN LATERAL (VALUES (step.status, 1), (before.status, -1)) moved (status, number)
WHERE e.type = 'payment_request.status_changed' AND moved.status IS NOT NULL
UNION ALL
SELECT e.organization_id, e.account_id, ${dayOfSql('e.occurred_at')}, 'paid_within',
  ${paidWithinSql('opened.at', 'e.occurred_at')}, 1, 0
FROM events e ${OPENED_REQUEST} WHERE e.type = 'payment_request.confirmed'
UNION ALL
SELECT e.organization_id, e.account_id, ${dayOfSql('COALESCE(delivered.created_at, e.occurred_at)')}, money.figure,
  e.data ->> 'uniqueAssetId', money.number, money.number * money.amount
FROM events e
LEFT JOIN settlement.public_settlement_records delivered
  ON delivered.id = CASE WHEN e.type = 'settlement.status_changed' THEN e.aggregate_id END
JOIN LATERAL (VALUES
  ('payment_request.confirmed', NULL, 'paid', 1, (e.data ->> 'receivedAmount')::numeric),
  ('payment_request.deposit_received', NULL, 'deposited', 1, (e.data ->> 'amount')::numeric),
  ('payment_request.credit_reversed', NULL, 'reversed', 1, (e.data ->> 'before')::numeric - (e.data ->> 'after')::numeric),
  ('settlement.status_changed', 'processing', 'settled', 1, (e.data ->> 'amount')::numeric),
  ('settlement.status_changed', 'failed', 'settled', -1, (e.data ->> 'amount')::numeric),
  ('refund.status_changed', 'completed', 'refunded', 1, (e.data ->> 'amount')::numeric)
) money (type, status, figure, number, amount)
  ON money.type = e.type AND COALESCE(money.status = e.data ->> 'status', true)`;

const FIGURES_FROM_RECORDS = `
SELECT organization_id, account_id, ${dayOfSql('created_at')} AS day, 'requests' AS figure, status AS part,
  count(*) AS number, 0::numeric AS amount
FROM payments.public_request_records GROUP BY 1, 2, 3, 5
UNION ALL
SELECT organization_id, account_id, ${dayOfSql('confirmed_at')}, 'paid', unique_asset_id, count(*), sum(received_amount)
FROM payments.public_request_records WHERE confirmed_at IS NOT NULL GROUP BY 1, 2, 3, 5
UNION ALL
SELECT organization_id, account_id, ${dayOfSql('confirmed_at')}, 'paid_within',
  ${paidWithinSql('created_at', 'confirmed_at')}, count(*), 0
FROM payments.public_request_records WHERE confirmed_at IS NOT NULL GROUP BY 1, 2, 3, 5
UNION ALL
SELECT organization_id, account_id, ${dayOfSql('deposited_at')}, 'deposited', unique_asset_id,
  count(DISTINCT COALESCE(deposit_id, id)), sum(amount)
FROM payments.public_booked_transfers WHERE deposited_at IS NOT NULL GROUP BY 1, 2, 3, 5
UNION ALL
SELECT organization_id, account_id, ${dayOfSql('reversed_at')}, 'reversed', unique_asset_id, count(*), sum(amount)
FROM payments.public_booked_transfers WHERE reversed_at IS NOT NULL GROUP BY 1, 2, 3, 5
UNION ALL
SELECT organization_id, account_id, ${dayOfSql('created_at')}, 'settled', unique_asset_id, count(*), sum(amount)
FROM settlement.public_settlement_records WHERE status <> 'failed' GROUP BY 1, 2, 3, 5
UNION ALL
SELECT organization_id, account_id, ${dayOfSql('updated_at')}, 'refunded', unique_asset_id, count(*), sum(amount)
FROM settlement.public_refund_records WHERE status = 'completed' GROUP BY 1, 2, 3, 5`;

/** One row for the account and one for its organization. */
const FOR_ACCOUNT_AND_ORGANIZATION = `CROSS JOIN LATERAL (VALUES (c.organization_id, NULL::uuid), (c.account_id, c.account_id))
  s (scope_id, account_id)`;

const DAILY_FIGURE_KEY = 's.scope_id, c.organization_id, s.account_id, c.day, c.figure, c.part';

export const sumOfChangesSql = (changes: string) => `
SELECT ${DAILY_FIGURE_KEY}, sum(c.number) AS number, sum(c.amount) AS amount FROM (${changes}) c ${FOR_ACCOUNT_AND_ORGANIZATION}
GROUP BY ${DAILY_FIGURE_KEY} HAVING sum(c.number) <> 0 OR sum(c.amount) <> 0`;

/** Figures from all records, minus the changes of the rows of `events`. */
export const ANALYTICS_WITHOUT_EVENTS = sumOfChangesSql(`${FIGURES_FROM_RECORDS}
UNION ALL SELECT organization_id, account_id, day, figure, part, -number, -amount FROM (${CHANGES_OF_EVENTS}) uncounted`);
