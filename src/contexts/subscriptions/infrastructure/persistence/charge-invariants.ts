import type { Invariant } from '#shared/kernel/invariant.js';
import { CHARGE_REQUESTS_SUBSCRIBER, OUTCOMES_BY_STATUS } from '../charge-requests-subscriber.js';
import { CHARGE_REQUEST_JOB_KIND } from './postgres-subscriptions.js';
import { dueDateSql, HAS_REQUEST_IN_FLIGHT, CHARGE_ATTEMPTS_SQL } from './due-dates.sql.js';

const FROM_CHARGES = `subscriptions.charges c JOIN subscriptions.subscriptions s ON s.id = c.subscription_id`;

const FOLLOWED_WITHIN = `interval '60 seconds'`;

/** After a crash, jobs run again within seconds. */
const OPENED_WITHIN = `interval '2 minutes'`;

const OUTCOME_OF_EVENT = `CASE WHEN e.data ? 'underpaymentAccepted' THEN 'paid' ${Object.entries(
  OUTCOMES_BY_STATUS,
)
  .map(([status, outcome]) => `WHEN e.data ->> 'status' = '${status}' THEN '${outcome}'`)
  .join(' ')} END`;

const IS_MISSED = `(status = 'unpaid' OR status = 'accepted' AND NOT window_cut)`;

/** Changes that the subscriber has applied, or should have applied by now. */
const REQUEST_FACTS = `SELECT r.payment_request_id,
    bool_or(e.type = 'payment_request.status_changed' AND e.data ->> 'status' = 'created') AS opened,
    bool_or(e.type = 'payment_request.window_closed') AS cut,
    bool_or(e.type = 'payment_request.accepted_as_paid') AS accepted,
    (array_agg(${OUTCOME_OF_EVENT} ORDER BY e.position DESC)
      FILTER (WHERE e.type = 'payment_request.status_changed' AND ${OUTCOME_OF_EVENT} IS NOT NULL))[1] AS outcome
  FROM subscriptions.charge_requests r
  LEFT JOIN platform.subscriber_positions p ON p.subscriber = '${CHARGE_REQUESTS_SUBSCRIBER}'
  JOIN platform.events e ON e.aggregate_id = r.payment_request_id
    AND e.type IN ('payment_request.status_changed', 'payment_request.window_closed', 'payment_request.accepted_as_paid')
    AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
      OR e.occurred_at < platform.now() - ${FOLLOWED_WITHIN})
  GROUP BY r.payment_request_id`;

/** True whether or not the subscriber has applied the event. */
const IS_OPENED = `EXISTS (SELECT FROM platform.events e WHERE e.aggregate_id = r.payment_request_id
  AND e.type = 'payment_request.status_changed')`;

export const chargeInvariants: Invariant[] = [
  {
    name: 'charges-are-of-the-calendar',
    promise:
      'Each charge is due at the calendar date for its number and closes at the next one. No charge is created ' +
      'before it is due, before an earlier charge, or at or after the end of the subscription.',
    breaches: `SELECT c.id, c.number, c.due_at, c.closes_at FROM (SELECT *, lag(created_at) OVER (PARTITION BY subscription_id
        ORDER BY number) AS created_before FROM subscriptions.charges) c
      JOIN subscriptions.subscriptions s ON s.id = c.subscription_id
      WHERE c.due_at IS DISTINCT FROM ${dueDateSql('c.number')} OR c.closes_at IS DISTINCT FROM ${dueDateSql('c.number + 1')}
        OR c.created_at < c.due_at OR c.created_at <= c.created_before OR c.due_at >= s.ends_at`,
  },
  {
    name: 'charges-share-their-tenant',
    promise: 'A charge and its payment requests belong to the organization and account of one subscription.',
    breaches: `SELECT c.id FROM ${FROM_CHARGES}
      WHERE (c.organization_id, c.account_id) IS DISTINCT FROM (s.organization_id, s.account_id)
      UNION ALL
      SELECT r.payment_request_id FROM subscriptions.charge_requests r JOIN subscriptions.charges c ON c.id = r.charge_id
      WHERE (r.subscription_id, r.organization_id, r.account_id)
        IS DISTINCT FROM (c.subscription_id, c.organization_id, c.account_id)`,
  },
  {
    name: 'charges-are-as-their-requests',
    promise:
      'A charge is paid if and only if one of its requests is paid or accepted as paid, and missed if and only if one ' +
      'of them expired unpaid. Only requests that expired after their full payment window count as tries.',
    breaches: `SELECT c.id, c.status, c.counted_tries FROM subscriptions.charges c LEFT JOIN (
        SELECT charge_id, bool_or(status IN ('paid', 'accepted')) AS paid, bool_or(${IS_MISSED}) AS missed,
          count(*) FILTER (WHERE ${IS_MISSED} AND attempt IS NOT NULL AND NOT window_cut) AS tries,
          count(DISTINCT attempt) FILTER (WHERE ${IS_MISSED}) AS different_tries,
          bool_or(status = 'unpaid' AND window_cut) AS cut
        FROM subscriptions.charge_requests GROUP BY charge_id) r ON r.charge_id = c.id
      WHERE (c.status = 'paid') <> COALESCE(r.paid, false) OR (c.missed_at IS NOT NULL) <> COALESCE(r.missed, false)
        OR (c.counted_tries, c.counted_tries) IS DISTINCT FROM (COALESCE(r.tries, 0), COALESCE(r.different_tries, 0)) OR r.cut`,
  },
  {
    name: 'charges-are-open-while-they-can-be-paid',
    promise:
      'Only the last charge of an active or past-due subscription, or a charge with a request in progress, can be ' +
      'open. A charge that is not open has no planned request.',
    breaches: `SELECT c.id, c.status FROM ${FROM_CHARGES}
      WHERE c.status = 'open' AND (s.status NOT IN ('active', 'past_due') OR EXISTS (SELECT FROM subscriptions.charges l
          WHERE l.subscription_id = c.subscription_id AND l.number > c.number)) AND NOT ${HAS_REQUEST_IN_FLIGHT}
        OR c.status <> 'open' AND EXISTS (SELECT FROM subscriptions.charge_requests r
          WHERE r.charge_id = c.id AND r.status = 'planned')`,
  },
  {
    name: 'charge-requests-are-of-due-tries',
    promise: 'A request for a try was planned after the try was due and before its charge closed.',
    breaches: `SELECT r.payment_request_id, r.attempt, r.planned_at FROM subscriptions.charge_requests r
      JOIN subscriptions.charges c ON c.id = r.charge_id
      WHERE r.planned_at >= c.closes_at OR r.planned_at < c.due_at
        OR r.attempt IS NOT NULL AND NOT EXISTS (SELECT FROM ${CHARGE_ATTEMPTS_SQL} t WHERE t.attempt = r.attempt AND t.at <= r.planned_at)`,
  },
  {
    name: 'charge-requests-are-as-payments-says',
    promise:
      'The status of each charge’s payment request matches the events of that request. Events of the last 60 ' +
      'seconds may be missing until the subscriber reaches them.',
    breaches: `SELECT r.payment_request_id, r.status, t.opened, t.outcome FROM subscriptions.charge_requests r
      LEFT JOIN (${REQUEST_FACTS}) t USING (payment_request_id)
      WHERE COALESCE(t.cut, false) AND NOT r.window_cut AND t.outcome IS DISTINCT FROM 'paid'
        OR NOT CASE
          WHEN t.accepted THEN r.status = 'accepted'
          WHEN t.outcome = 'failed' OR t.outcome = 'unpaid' AND t.cut THEN r.status = 'cut_short'
          WHEN t.outcome IS NOT NULL THEN r.status = t.outcome
          WHEN t.opened THEN r.status = 'open'
          ELSE r.status IN ('planned', 'dropped') END`,
  },
  {
    name: 'charge-requests-ask-what-was-agreed',
    promise:
      'Each payment request for a charge has the amount, asset, point of sale, owner and reference of its ' +
      'subscription. If the subscription has no reference, its id is the reference.',
    breaches: `SELECT r.payment_request_id, s.id FROM subscriptions.charge_requests r
      JOIN subscriptions.subscriptions s ON s.id = r.subscription_id
      JOIN platform.events e ON e.aggregate_id = r.payment_request_id AND e.type = 'payment_request.status_changed'
        AND e.data ? 'opened'
      WHERE (e.organization_id, e.account_id, e.data ->> 'pointOfSaleId', e.data ->> 'referenceId',
          e.data #>> '{opened,asked,uniqueAssetId}', (e.data #>> '{opened,asked,amount}')::numeric)
        IS DISTINCT FROM (s.organization_id, s.account_id, s.point_of_sale_id::text, COALESCE(s.reference_id, s.id::text),
          s.unique_asset_id, s.amount::numeric)`,
  },
  {
    name: 'planned-charge-requests-are-scheduled',
    promise:
      'Each planned request of a charge has a scheduled job to open it until it is opened. There are no other such ' +
      'jobs.',
    breaches: `SELECT COALESCE(r.payment_request_id, w.key) AS id, r.status
      FROM (SELECT * FROM subscriptions.charge_requests r WHERE r.status = 'planned' AND NOT ${IS_OPENED}) r
      FULL JOIN (SELECT key, lane FROM platform.due_work WHERE kind = '${CHARGE_REQUEST_JOB_KIND}') w
        ON w.key = r.payment_request_id
      WHERE w.key IS NULL OR NOT EXISTS (SELECT FROM subscriptions.charge_requests known
        WHERE known.payment_request_id = w.key AND known.organization_id = w.lane)`,
  },
  {
    name: 'charge-requests-are-opened-in-time',
    promise:
      'A planned request is opened within 2 minutes, or it was refused with a reason and is retried in time.',
    breaches: `SELECT r.payment_request_id, r.planned_at, r.refused FROM subscriptions.charge_requests r
      LEFT JOIN platform.due_work w ON w.kind = '${CHARGE_REQUEST_JOB_KIND}' AND w.key = r.payment_request_id
      WHERE r.status = 'planned' AND (r.refused IS NULL AND r.planned_at < platform.now() - ${OPENED_WITHIN}
        OR w.due_at < platform.now() - ${OPENED_WITHIN} AND COALESCE(w.claimed_until < clock_timestamp(), true))`,
  },
];
