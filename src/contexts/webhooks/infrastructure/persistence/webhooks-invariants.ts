import type { Invariant } from '../../../../shared/kernel/invariant.js';
import { NOTIFIED_STATUSES } from '../../domain/payment-request-notification.js';

const NOTIFIED = NOTIFIED_STATUSES.map((status) => `'${status}'`).join(', ');

export const webhooksInvariants: Invariant[] = [
  {
    name: 'every-subscribed-webhook-hears-of-every-event',
    promise:
      'Each status change that merchants are told of has one delivery per webhook subscribed at that time.',
    // Events ahead of the subscriber's position are not due yet, unless they have waited for a minute.
    breaches: `SELECT e.id AS event_id, w.id AS webhook_id
      FROM platform.events e
      JOIN webhooks.webhooks w ON w.account_id = e.account_id AND w.organization_id = e.organization_id
        AND w.event_type = 'payment_request' AND w.active AND w.subscribed_since < e.transaction_id
      LEFT JOIN platform.subscriber_positions p ON p.subscriber = 'webhooks'
      WHERE e.type = 'payment_request.status_changed' AND e.data ->> 'status' IN (${NOTIFIED})
        AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
          OR e.occurred_at < platform.now() - interval '60 seconds')
        AND NOT EXISTS (SELECT 1 FROM webhooks.deliveries d WHERE d.event_id = e.id AND d.webhook_id = w.id)`,
  },
  {
    name: 'deliveries-tell-of-events',
    promise: 'Each delivery tells of an event of its own account that merchants are told of, as it happened.',
    breaches: `SELECT d.id FROM webhooks.deliveries d JOIN platform.events e ON e.id = d.event_id
      WHERE e.type = 'payment_request.status_changed' AND (
        e.data ->> 'status' NOT IN (${NOTIFIED})
        OR e.data ->> 'status' IS DISTINCT FROM d.body::jsonb -> 'data' ->> 'status'
        OR e.aggregate_id::text IS DISTINCT FROM d.body::jsonb -> 'data' ->> 'payment_request_id'
        OR (e.organization_id, e.account_id, e.aggregate_id)
          IS DISTINCT FROM (d.organization_id, d.account_id, d.payment_request_id))`,
  },
  {
    name: 'pending-deliveries-are-scheduled',
    promise: 'A pending delivery is scheduled or waits for one that is pending, and no other is.',
    breaches: `SELECT d.id, d.status, w.key
      FROM (SELECT id, status, webhook_id, waits_for FROM webhooks.deliveries) d
      FULL JOIN (SELECT key, lane FROM platform.due_work WHERE kind = 'webhook_delivery') w ON w.key = d.id
      WHERE d.id IS NULL OR w.lane <> d.webhook_id
        OR (d.status = 'pending' AND d.waits_for IS NULL) <> (w.key IS NOT NULL)
        OR EXISTS (SELECT FROM webhooks.deliveries before WHERE before.id = d.waits_for AND before.status <> 'pending')`,
  },
  {
    name: 'attempts-lead-to-the-status',
    promise:
      'Attempts are numbered without gaps; of those since a delivery was queued last, only the last one ends it, and gives it its status.',
    breaches: `SELECT d.id, d.status FROM webhooks.deliveries d LEFT JOIN webhooks.delivery_attempts a ON a.delivery_id = d.id
      GROUP BY d.id
      HAVING COALESCE(max(a.attempt), 0) <> count(a.id) OR d.attempts_before > count(a.id)
        OR count(a.id) FILTER (WHERE a.attempt > d.attempts_before AND a.status <> 'pending')
          <> CASE WHEN d.status = 'pending' THEN 0 ELSE 1 END
        OR COALESCE((array_agg(a.status ORDER BY a.attempt DESC) FILTER (WHERE a.attempt > d.attempts_before))[1],
          'pending') <> d.status`,
  },
  {
    name: 'attempts-are-counted',
    promise: 'The length of each account’s log is the number of its attempts.',
    breaches: `SELECT account_id, t.attempts, l.attempts AS logged
      FROM webhooks.attempt_totals t
      FULL JOIN (SELECT account_id, count(*) AS attempts FROM webhooks.delivery_attempts GROUP BY account_id) l
        USING (account_id)
      WHERE t.attempts IS DISTINCT FROM l.attempts`,
  },
  {
    name: 'deliveries-share-their-tenant',
    promise: 'Deliveries and attempts belong to the organization and account of their webhook.',
    breaches: `SELECT c.id FROM (
        SELECT id, webhook_id, organization_id, account_id FROM webhooks.deliveries
        UNION ALL SELECT id, webhook_id, organization_id, account_id FROM webhooks.delivery_attempts) c
      JOIN webhooks.webhooks w ON w.id = c.webhook_id
      WHERE (w.organization_id, w.account_id) IS DISTINCT FROM (c.organization_id, c.account_id)
      UNION ALL
      SELECT a.id FROM webhooks.delivery_attempts a JOIN webhooks.deliveries d ON d.id = a.delivery_id
      WHERE a.webhook_id <> d.webhook_id`,
  },
];
