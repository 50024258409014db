import type { Invariant } from '#shared/kernel/invariant.js';
import { MERCHANT_EVENTS_SUBSCRIBER } from './events/persistence/merchant-events.js';
import { MERCHANT_EVENT_DEFINITIONS, type MerchantEventSource } from '../application/events/notifications.js';

/** With a status of which merchants are notified. */
const isNotified = (type: MerchantEventSource['type']) =>
  `e.type = '${type}' AND e.data ->> 'status' IN (${MERCHANT_EVENT_DEFINITIONS[type].statuses!.map((one) => `'${one}'`).join(', ')})`;

const ALWAYS_DELIVERED_TYPES = `'payment_request.accepted_as_paid', 'payment_request.incoming_transfer_changed'`;

const IS_DELIVERED = `(${isNotified('payment_request.status_changed')} OR e.type IN (${ALWAYS_DELIVERED_TYPES})
  OR ${isNotified('refund.status_changed')})`;

const TRANSFER_EVENT_TYPES = `'payment_request.deposit_received', 'payment_request.credit_reversed'`;

const IS_MERCHANT_EVENT = `(e.type IN (${TRANSFER_EVENT_TYPES})
  OR ${isNotified('settlement.status_changed')}
  OR e.type = 'subscription.status_changed'
  OR ${IS_DELIVERED})`;

const REQUEST_OF = `CASE WHEN e.type IN ('settlement.status_changed', 'subscription.status_changed') THEN NULL
  WHEN e.type = 'refund.status_changed' THEN (e.data ->> 'paymentRequestId')::uuid ELSE e.aggregate_id END`;

const MERCHANT_EVENT_TYPE = `CASE e.type WHEN 'payment_request.deposit_received' THEN 'deposit'
  WHEN 'payment_request.credit_reversed' THEN 'adjustment'
  WHEN 'payment_request.incoming_transfer_changed' THEN 'incoming_transfer' ELSE split_part(e.type, '.', 1) END`;

const ID_FIELD = `split_part(e.type, '.', 1) || '_id'`;

const inSmallestUnits = (field: string) =>
  `(m.body::jsonb -> 'data' ->> '${field}')::numeric * ('1e' || (e.data ->> 'decimals'))::numeric`;

/** The amount is copied from merchant event `m`. */
const SUBSCRIPTION_DATA = `jsonb_strip_nulls(jsonb_build_object('notification_type', 'subscription_status_update',
  'subscription_id', e.aggregate_id, 'status', e.data ->> 'status',
  'external_reference_id', COALESCE(e.data ->> 'referenceId', e.aggregate_id::text),
  'point_of_sale_id', e.data ->> 'pointOfSaleId', 'account_id', e.account_id,
  'amount', m.body::jsonb -> 'data' ->> 'amount', 'currency', e.data ->> 'currency', 'network', e.data ->> 'network',
  'unique_asset_id', e.data ->> 'uniqueAssetId', 'interval', e.data ->> 'interval',
  'wallet_external_id', e.data ->> 'walletExternalId', 'next_charge_at', e.data ->> 'nextChargeAt',
  'expires_at', e.data ->> 'expiresAt', 'revoked_by', e.data ->> 'revokedBy'))`;

export const webhooksInvariants: Invariant[] = [
  {
    name: 'every-subscribed-webhook-hears-of-every-event',
    promise:
      'Each published event has one delivery for each webhook that was subscribed at that time, unless the delivery ' +
      'was pruned.',
    // The subscriber has a minute to queue the deliveries of a new event.
    breaches: `SELECT e.id AS event_id, w.id AS webhook_id
      FROM platform.events e
      JOIN webhooks.webhooks w ON w.account_id = e.account_id AND w.organization_id = e.organization_id
        AND w.event_type = ${MERCHANT_EVENT_TYPE} AND w.active AND w.subscribed_since < e.transaction_id
      LEFT JOIN platform.subscriber_positions p ON p.subscriber = '${MERCHANT_EVENTS_SUBSCRIBER}'
      WHERE ${IS_DELIVERED}
        AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
          OR e.occurred_at < platform.now() - interval '60 seconds')
        AND (w.deliveries_pruned_until IS NULL OR e.occurred_at > w.deliveries_pruned_until)
        AND NOT EXISTS (SELECT 1 FROM webhooks.deliveries d WHERE d.event_id = e.id AND d.webhook_id = w.id)`,
  },
  {
    name: 'young-deliveries-are-not-pruned',
    promise: 'No delivery of an event from the last 7 days was pruned.',
    breaches: `SELECT id AS webhook_id, deliveries_pruned_until FROM webhooks.webhooks
      WHERE deliveries_pruned_until > platform.now() - interval '7 days'`,
  },
  {
    name: 'deliveries-tell-of-events',
    promise:
      'Each delivery, unless it is a test, reports a published event of its account with the values of that event.',
    breaches: `SELECT d.id FROM webhooks.deliveries d LEFT JOIN platform.events e ON e.id = d.event_id
      WHERE d.event_id IS NOT NULL AND (e.id IS NULL OR e.type IN (${TRANSFER_EVENT_TYPES}, 'settlement.status_changed', 'subscription.status_changed')
        OR e.type IN ('payment_request.status_changed', ${ALWAYS_DELIVERED_TYPES}, 'refund.status_changed') AND (NOT ${IS_DELIVERED}
        OR e.data ->> 'status' IS DISTINCT FROM d.body::jsonb -> 'data' ->> 'status'
        OR e.aggregate_id::text IS DISTINCT FROM d.body::jsonb -> 'data' ->> (${ID_FIELD})
        OR (${REQUEST_OF})::text IS DISTINCT FROM d.body::jsonb -> 'data' ->> 'payment_request_id'
        OR (e.organization_id, e.account_id, ${REQUEST_OF})
          IS DISTINCT FROM (d.organization_id, d.account_id, d.payment_request_id)))`,
  },
  {
    name: 'merchant-events-are-complete',
    promise:
      'Each published status change, deposit, incoming transfer, reversal, finished settlement and subscription status has a merchant ' +
      'event, and there are no other merchant events.',
    // A new subscriber reads the event log from the beginning, so it has longer while its checkpoint advances.
    breaches: `SELECT e.id FROM platform.events e
      JOIN platform.subscriber_positions p ON p.subscriber = '${MERCHANT_EVENTS_SUBSCRIBER}'
      WHERE ${IS_MERCHANT_EVENT}
        AND ((e.transaction_id, e.position) <= (p.transaction_id, p.position)
          OR (e.occurred_at < platform.now() - interval '60 seconds'
            AND p.moved_at < clock_timestamp() - interval '60 seconds'))
        AND NOT EXISTS (SELECT 1 FROM webhooks.events m WHERE m.id = e.id)
      UNION ALL
      SELECT m.id FROM webhooks.events m WHERE NOT EXISTS (SELECT 1 FROM platform.events e WHERE e.id = m.id
        AND ${IS_MERCHANT_EVENT})`,
  },
  {
    name: 'merchant-events-tell-what-happened',
    promise:
      'Each merchant event has the owner, the payment request, settlement or subscription, the time, and the status ' +
      'or amounts of its event in the log.',
    breaches: `SELECT m.id FROM webhooks.events m JOIN platform.events e ON e.id = m.id
      WHERE (m.organization_id, m.account_id, m.payment_request_id, m.occurred_at, m.event_type)
          IS DISTINCT FROM (e.organization_id, e.account_id, ${REQUEST_OF}, e.occurred_at,
            ${MERCHANT_EVENT_TYPE})
        OR m.body::jsonb -> 'data' ->> 'status' IS DISTINCT FROM e.data ->> 'status'
        OR m.underpayment_accepted <> (e.data ? 'underpaymentAccepted')
        OR m.body::jsonb -> 'data' ->> 'payment_request_id' IS DISTINCT FROM (${REQUEST_OF})::text
        OR e.type <> 'refund.status_changed' AND (
          m.body::jsonb -> 'data' ->> 'unique_asset_id' IS DISTINCT FROM e.data ->> 'uniqueAssetId'
          OR ${inSmallestUnits('amount')} IS DISTINCT FROM COALESCE((e.data ->> 'amount')::numeric,
          (e.data ->> 'after')::numeric - (e.data ->> 'before')::numeric))
        OR ${inSmallestUnits('remaining_amount')} IS DISTINCT FROM (e.data ->> 'after')::numeric
        OR ${inSmallestUnits('fee_amount')} IS DISTINCT FROM (e.data ->> 'feeAmount')::numeric
        OR m.body::jsonb -> 'data' ->> (${ID_FIELD}) IS DISTINCT FROM e.aggregate_id::text
        OR e.type = 'subscription.status_changed' AND m.body::jsonb -> 'data' IS DISTINCT FROM ${SUBSCRIPTION_DATA}`,
  },
  {
    name: 'merchant-events-stand-in-order',
    promise:
      'The merchant events of a payment request, settlement or subscription are numbered in the order of the event log.',
    breaches: `SELECT id FROM (
        SELECT m.id, e.transaction_id, e.position, lag(e.transaction_id) OVER earlier AS transaction_before,
          lag(e.position) OVER earlier AS position_before
        FROM webhooks.events m JOIN platform.events e ON e.id = m.id
        WINDOW earlier AS (PARTITION BY COALESCE(m.payment_request_id, e.aggregate_id) ORDER BY m.number)) m
      WHERE (transaction_id, position) <= (transaction_before, position_before)`,
  },
  {
    name: 'deliveries-carry-their-event',
    promise:
      'Each delivery of a merchant event contains the same bytes as the event and belongs to the same account and ' +
      'payment request.',
    breaches: `SELECT d.id FROM webhooks.deliveries d JOIN webhooks.events m ON m.id = d.event_id
      WHERE (d.body, d.organization_id, d.account_id, d.event_type, d.payment_request_id)
        IS DISTINCT FROM (m.body, m.organization_id, m.account_id, m.event_type, m.payment_request_id)`,
  },
  {
    name: 'deliveries-wait-in-order',
    promise: 'A delivery waits only for an earlier event of the same webhook and payment request.',
    breaches: `SELECT d.id FROM webhooks.deliveries d
      LEFT JOIN webhooks.deliveries before ON before.id = d.waits_for
        AND (before.webhook_id, before.payment_request_id) = (d.webhook_id, d.payment_request_id)
      LEFT JOIN webhooks.events m ON m.id = d.event_id
      LEFT JOIN webhooks.events m_before ON m_before.id = before.event_id
      WHERE d.waits_for IS NOT NULL AND (m_before.number < m.number) IS NOT TRUE`,
  },
  {
    name: 'pending-deliveries-are-scheduled',
    promise:
      'Each pending delivery is scheduled or waits for another pending delivery. No other delivery is scheduled.',
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
      'Attempts are numbered without gaps. Only the last attempt since a delivery was last queued finishes the ' +
      'delivery and sets its status.',
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
    promise: 'The attempt counter of each account equals the number of its attempts.',
    breaches: `SELECT account_id, t.attempts, l.attempts AS logged
      FROM webhooks.attempt_totals t
      FULL JOIN (SELECT account_id, count(*) AS attempts FROM webhooks.delivery_attempts GROUP BY account_id) l
        USING (account_id)
      WHERE COALESCE(t.attempts, 0) <> COALESCE(l.attempts, 0)`,
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

export const webhookAuditInvariants: Invariant[] = [
  {
    name: 'webhooks-are-as-audited',
    promise:
      'Every webhook has the account, events and URL of its last audit entry, and is deleted if and only if that ' +
      'entry is its deletion.',
    breaches: `SELECT COALESCE(w.id, l.subject_id) AS webhook_id
      FROM (SELECT * FROM webhooks.webhooks WHERE deleted_at IS NULL) w
      FULL JOIN (SELECT DISTINCT ON (subject_id) subject_id, organization_id, after
        FROM identity.public_audit_log WHERE action LIKE 'webhook.%' ORDER BY subject_id, position DESC) l
        ON l.subject_id = w.id
      WHERE (w.id IS NULL) IS DISTINCT FROM (l.after IS NULL)
        OR w.id IS NOT NULL AND (w.organization_id, w.account_id::text, w.url, w.event_type)
          IS DISTINCT FROM (l.organization_id, l.after ->> 'account_id', l.after ->> 'url', l.after ->> 'event_type')`,
  },
];
