import type { Invariant } from '#shared/kernel/invariant.js';

const IS_REQUEST_EVENT = `e.type LIKE 'payment_request.%'`;

/** Ordered by position, which is assigned while the request is locked. */
const ASSETS_IN_EVENTS = `SELECT e.aggregate_id AS id, e.position,
    CASE WHEN e.type = 'payment_request.asset_selected' THEN e.data ELSE e.data -> 'opened' -> 'asked' END AS asked
  FROM platform.events e
  WHERE e.type = 'payment_request.asset_selected'
    OR (e.type = 'payment_request.status_changed' AND e.data -> 'opened' ? 'asked')`;

export const requestEventsInvariants: Invariant[] = [
  {
    name: 'events-have-their-request',
    promise:
      'Every event of a payment request belongs to an existing one and has its owner, point of sale and reference.',
    breaches: `SELECT e.id AS event_id, e.aggregate_id AS payment_request_id FROM platform.events e
      LEFT JOIN payments.known_requests r ON r.id = e.aggregate_id
      WHERE ${IS_REQUEST_EVENT} AND (
        (r.organization_id, r.account_id) IS DISTINCT FROM (e.organization_id, e.account_id)
        OR e.data ? 'pointOfSaleId' AND (r.point_of_sale_id::text, r.reference_id)
          IS DISTINCT FROM (e.data ->> 'pointOfSaleId', e.data ->> 'referenceId'))`,
  },
  {
    name: 'one-step-for-each-event',
    promise:
      'Every status that an event reports is one step in the history of its request, at the time of the event.',
    breaches: `SELECT e.id AS event_id, e.aggregate_id AS payment_request_id
      FROM (SELECT id, aggregate_id, occurred_at,
          CASE type WHEN 'payment_request.confirmed' THEN 'confirmed' ELSE data ->> 'status' END AS status
        FROM platform.events
        WHERE type IN ('payment_request.status_changed', 'payment_request.confirmed')) e
      LEFT JOIN payments.status_history h ON h.payment_request_id = e.aggregate_id AND h.status = e.status
      GROUP BY e.id, e.aggregate_id, e.occurred_at
      HAVING count(h.step) <> 1 OR bool_or(h.at <> e.occurred_at)`,
  },
  {
    name: 'request-times-are-of-its-steps',
    promise: 'The creation and confirmation times of a request are those of its first and last steps.',
    breaches: `SELECT r.id FROM payments.payment_requests r
      LEFT JOIN payments.status_history b ON b.payment_request_id = r.id AND b.step = 1
      LEFT JOIN payments.status_history c ON c.payment_request_id = r.id AND c.status = 'confirmed'
      WHERE r.created_at IS DISTINCT FROM b.at OR r.confirmed_at IS DISTINCT FROM c.at`,
  },
  {
    name: 'asked-amounts-match-events',
    promise: 'A request has the asset and amount of the last event that reports them.',
    breaches: `SELECT r.id FROM (SELECT DISTINCT ON (id) id, asked FROM (${ASSETS_IN_EVENTS}) a ORDER BY id, position DESC) t
      JOIN payments.payment_requests r USING (id)
      WHERE (r.network, r.unique_asset_id, r.amount::text)
          IS DISTINCT FROM (asked ->> 'network', asked ->> 'uniqueAssetId', asked ->> 'amount')
        OR (r.currency, r.decimals) IS DISTINCT FROM (asked ->> 'currency', (asked ->> 'decimals')::smallint)`,
  },
  {
    name: 'deadlines-match-events',
    promise:
      'A request expires at the time in its last event about the deadline, and its grace period is the longest that ' +
      'an event reports.',
    breaches: `SELECT r.id FROM (
        SELECT DISTINCT ON (e.aggregate_id) e.aggregate_id AS id,
          COALESCE(e.data ->> 'expiresAt', e.data -> 'opened' ->> 'expiresAt')::timestamptz AS expires_at
        FROM platform.events e
        WHERE e.type = 'payment_request.window_closed'
          OR (e.type = 'payment_request.status_changed' AND e.data ? 'opened')
        ORDER BY e.aggregate_id, e.position DESC) t
      JOIN payments.payment_requests r USING (id)
      LEFT JOIN (SELECT id, max((asked ->> 'inclusionGraceSeconds')::integer) AS seconds
        FROM (${ASSETS_IN_EVENTS}) a GROUP BY id) g USING (id)
      WHERE r.expires_at <> t.expires_at
        OR r.counts_until <> r.expires_at + make_interval(secs => COALESCE(g.seconds, 0))`,
  },
  {
    name: 'addresses-match-events',
    promise:
      'Every address that an event reports belongs to its request, with the reported terms. No request has another ' +
      'address.',
    breaches: `SELECT t.id AS payment_request_id, t.asked ->> 'to' AS address FROM (${ASSETS_IN_EVENTS}) t
      LEFT JOIN payments.known_addresses a ON a.payment_request_id = t.id AND (a.network, a.address, a.tag)
        = (t.asked ->> 'network', t.asked ->> 'to', COALESCE(t.asked ->> 'tag', ''))
      WHERE a.settlement_terms_id::text IS DISTINCT FROM t.asked ->> 'settlementTermsId'
      UNION ALL
      SELECT a.payment_request_id, a.address FROM payments.known_addresses a
      WHERE NOT EXISTS (SELECT FROM (${ASSETS_IN_EVENTS}) t WHERE t.id = a.payment_request_id
          AND (a.network, a.address, a.tag) = (t.asked ->> 'network', t.asked ->> 'to', COALESCE(t.asked ->> 'tag', '')))`,
  },
  {
    name: 'selections-match-events',
    promise: 'Every selection of a session has the amount and address of its event.',
    breaches: `SELECT s.payment_request_id, s.unique_asset_id FROM payments.selections s
      WHERE NOT EXISTS (SELECT FROM (${ASSETS_IN_EVENTS}) t WHERE t.id = s.payment_request_id
          AND (s.network, s.unique_asset_id, s.currency, s.decimals::text, s.amount::text, s.address, s.tag)
            = (t.asked ->> 'network', t.asked ->> 'uniqueAssetId', t.asked ->> 'currency', t.asked ->> 'decimals',
              t.asked ->> 'amount', t.asked ->> 'to', COALESCE(t.asked ->> 'tag', '')))`,
  },
  {
    name: 'tolerances-match-events',
    promise:
      'A request has the underpayment tolerance of its first event, and its underpayment is accepted if and only if ' +
      'its last status says so.',
    breaches: `SELECT r.id FROM payments.payment_requests r JOIN (
        SELECT aggregate_id AS id, bool_or(data ? 'underpaymentAccepted') AS accepted,
          (array_agg(data #> '{opened,underpaymentTolerance}') FILTER (WHERE data ? 'opened'))[1] AS tolerance
        FROM platform.events WHERE type = 'payment_request.status_changed' GROUP BY aggregate_id) t USING (id)
      WHERE (r.underpayment_accepted, r.underpayment_tolerance) IS DISTINCT FROM (t.accepted, t.tolerance)`,
  },
  {
    name: 'acceptances-match-events',
    promise: 'The merchant accepted exactly the requests that an event names, once and at its time.',
    breaches: `SELECT COALESCE(r.id, e.aggregate_id) AS id, r.accepted_by_merchant_at, e.times
      FROM (SELECT id, accepted_by_merchant_at FROM payments.payment_requests WHERE accepted_by_merchant_at IS NOT NULL) r
      FULL JOIN (SELECT aggregate_id, array_agg(occurred_at) AS times FROM platform.events
        WHERE type = 'payment_request.accepted_as_paid' GROUP BY aggregate_id) e ON e.aggregate_id = r.id
      WHERE e.times IS DISTINCT FROM ARRAY[r.accepted_by_merchant_at]`,
  },
  {
    name: 'received-amounts-match-events',
    promise: 'A request has the received amount of the last event that reports one.',
    breaches: `SELECT r.id, r.received_amount, t.told FROM (
        SELECT DISTINCT ON (e.aggregate_id) e.aggregate_id AS id, e.data ->> 'receivedAmount' AS told
        FROM platform.events e WHERE ${IS_REQUEST_EVENT} AND e.data ? 'receivedAmount'
        ORDER BY e.aggregate_id, e.position DESC) t
      JOIN payments.payment_requests r USING (id)
      WHERE r.received_amount::text <> t.told`,
  },
];

export const keyedRequestsInvariants: Invariant[] = [
  {
    name: 'idempotency-keys-have-their-request',
    promise: 'Every idempotency key that created a payment request or a checkout names an existing one.',
    breaches: `SELECT k.credential_id, k.key, k.object_id FROM platform.idempotency_keys k
      LEFT JOIN payments.known_requests r ON r.id = k.object_id
      WHERE k.operation LIKE 'POST /v1/pos/:posID/payment-request%' AND k.answer IS NOT NULL
        AND (r.id IS NULL OR k.answer::jsonb ->> 'id' IS DISTINCT FROM r.id::text)`,
  },
];
