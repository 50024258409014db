/** A change in SQL and all invariants that report it. */
export type WebhookTampering = [name: string, sql: string, reportedBy: string[]];

const WAITING = `(SELECT id FROM webhooks.deliveries WHERE waits_for IS NOT NULL)`;
const DEPOSIT = `(SELECT id FROM webhooks.events WHERE event_type = 'deposit')`;
const SETTLEMENT = `(SELECT id FROM webhooks.events WHERE event_type = 'settlement')`;
const SUBSCRIPTION = `(SELECT max(number) FROM webhooks.events WHERE event_type = 'subscription')`;
const COMPLETED = `(SELECT id FROM platform.events WHERE data ->> 'status' = 'completed' AND type LIKE 'payment%')`;

/** @param world the ids of the payment request and of the settlement of the world that is tampered with */
export function webhookTamperings({
  order,
  settlement,
}: {
  readonly order: string;
  readonly settlement: string;
}): WebhookTampering[] {
  return [
    [
      'a delivery is lost',
      `DELETE FROM webhooks.deliveries WHERE id = ${WAITING}`,
      ['every-subscribed-webhook-hears-of-every-event'],
    ],
    [
      'a settlement has no event',
      `DELETE FROM webhooks.events WHERE id = ${SETTLEMENT}`,
      ['merchant-events-are-complete'],
    ],
    [
      'a settlement under way has an event',
      `UPDATE webhooks.events SET id = (SELECT id FROM platform.events WHERE aggregate_id = '${settlement}'
        AND data ->> 'status' = 'processing') WHERE id = ${SETTLEMENT}`,
      ['merchant-events-are-complete', 'merchant-events-tell-what-happened'],
    ],
    ...[
      ['another settlement', `'{data,settlement_id}', to_jsonb('${order}'::text)`],
      ['another amount', `'{data,amount}', '"24.76"'`],
      ['another fee', `'{data,fee_amount}', '"0.26"'`],
      ['another status', `'{data,status}', '"failed"'`],
    ].map(([what, set]): WebhookTampering => [
      `a settlement has an event as ${what}`,
      `UPDATE webhooks.events SET body = jsonb_set(body::jsonb, ${set})::text WHERE id = ${SETTLEMENT}`,
      ['merchant-events-tell-what-happened'],
    ]),
    [
      'a status of a subscription has no event',
      `DELETE FROM webhooks.events WHERE number = ${SUBSCRIPTION}`,
      ['merchant-events-are-complete'],
    ],
    [
      'statuses of a subscription change places',
      `WITH first AS (DELETE FROM webhooks.events WHERE event_type = 'subscription' AND number <> ${SUBSCRIPTION} RETURNING *)
       INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
        SELECT id, organization_id, account_id, event_type, payment_request_id, occurred_at, body FROM first`,
      ['merchant-events-stand-in-order'],
    ],
    [
      'a webhook gets an event of a subscription',
      `UPDATE webhooks.deliveries SET event_id = (SELECT id FROM webhooks.events WHERE number = ${SUBSCRIPTION})
        WHERE event_id IS NULL`,
      ['deliveries-carry-their-event', 'deliveries-tell-of-events'],
    ],
    ...[
      ['another subscription', `'{data,subscription_id}', to_jsonb('${order}'::text)`],
      ['another status', `'{data,status}', '"past_due"'`],
      ['another amount', `'{data,amount}', '"5.000001"'`],
      ['another wallet', `'{data,wallet_external_id}', '"wallet-2"'`],
      ['revoked by somebody', `'{data,revoked_by}', '"payer"'`],
    ].map(([what, set]): WebhookTampering => [
      `a subscription has an event as ${what}`,
      `UPDATE webhooks.events SET body = jsonb_set(body::jsonb, ${set})::text WHERE number = ${SUBSCRIPTION}`,
      ['merchant-events-tell-what-happened'],
    ]),
    ['a schedule is lost', `DELETE FROM platform.due_work`, ['pending-deliveries-are-scheduled']],
    [
      'what waits is scheduled too',
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
        SELECT 'webhook_delivery', id, webhook_id, now() FROM webhooks.deliveries WHERE id = ${WAITING}`,
      ['pending-deliveries-are-scheduled'],
    ],
    [
      'a schedule is in the lane of another webhook',
      `UPDATE platform.due_work SET lane = gen_random_uuid()`,
      ['pending-deliveries-are-scheduled'],
    ],
    [
      'a delivery waits for one that has ended',
      `UPDATE webhooks.deliveries SET waits_for = (SELECT id FROM webhooks.deliveries WHERE event_id IS NULL)
        WHERE id = ${WAITING}`,
      ['deliveries-wait-in-order', 'pending-deliveries-are-scheduled'],
    ],
    [
      'a delivery waits for itself',
      `UPDATE webhooks.deliveries SET waits_for = id WHERE id = ${WAITING}`,
      ['deliveries-wait-in-order'],
    ],
    [
      'a delivery waits for another webhook’s',
      `UPDATE webhooks.deliveries d SET waits_for = f.id FROM webhooks.deliveries f, webhooks.deliveries w
        WHERE d.id = ${WAITING} AND w.id = d.waits_for AND f.event_id = w.event_id AND f.webhook_id <> w.webhook_id`,
      ['deliveries-wait-in-order'],
    ],
    [
      'a delivery ends without an attempt',
      `UPDATE webhooks.deliveries SET status = 'failed', waits_for = NULL WHERE id = ${WAITING}`,
      ['attempts-lead-to-the-status'],
    ],
    [
      'an attempt is lost',
      `DELETE FROM webhooks.delivery_attempts WHERE status = 'delivered'`,
      ['attempts-are-counted', 'attempts-lead-to-the-status'],
    ],
    [
      'pruning is marked as having reached events of this week',
      `UPDATE webhooks.webhooks SET deliveries_pruned_until = platform.now()`,
      ['young-deliveries-are-not-pruned'],
    ],
    ['a total differs', `UPDATE webhooks.attempt_totals SET attempts = 9`, ['attempts-are-counted']],
    ['a total is lost', `DELETE FROM webhooks.attempt_totals`, ['attempts-are-counted']],
    [
      'a body changes',
      `UPDATE webhooks.deliveries SET body = '{"data":{}}' WHERE id = ${WAITING}`,
      ['deliveries-carry-their-event', 'deliveries-tell-of-events'],
    ],
    [
      'a body is spelled anew',
      `UPDATE webhooks.deliveries SET body = body::jsonb::text WHERE id = ${WAITING}`,
      ['deliveries-carry-their-event'],
    ],
    [
      'a delivery is of no event that happened',
      `UPDATE webhooks.deliveries SET event_id = gen_random_uuid() WHERE event_id IS NULL`,
      ['deliveries-tell-of-events'],
    ],
    [
      'a delivery is another account’s',
      `UPDATE webhooks.deliveries SET account_id = gen_random_uuid() WHERE id = ${WAITING}`,
      ['deliveries-carry-their-event', 'deliveries-share-their-tenant', 'deliveries-tell-of-events'],
    ],
    [
      'an attempt is another webhook’s',
      `UPDATE webhooks.delivery_attempts a SET webhook_id = w.id FROM webhooks.webhooks w WHERE w.id <> a.webhook_id`,
      ['deliveries-share-their-tenant'],
    ],
    [
      'a merchant event is lost',
      `DELETE FROM webhooks.events WHERE id = ${COMPLETED}`,
      ['deliveries-wait-in-order', 'merchant-events-are-complete'],
    ],
    [
      'a deposit is lost',
      `DELETE FROM webhooks.events WHERE id = ${DEPOSIT}`,
      ['merchant-events-are-complete'],
    ],
    [
      'a deposit has another amount',
      `UPDATE webhooks.events SET body = replace(body, '"5"', '"5.000001"') WHERE id = ${DEPOSIT}`,
      ['merchant-events-tell-what-happened'],
    ],
    [
      'a deposit has another asset',
      `UPDATE webhooks.events SET body = replace(body, 'npolygon', 'nerc20') WHERE id = ${DEPOSIT}`,
      ['merchant-events-tell-what-happened'],
    ],
    [
      'a deposit has a status',
      `UPDATE webhooks.events SET event_type = 'payment_request' WHERE id = ${DEPOSIT}`,
      ['merchant-events-tell-what-happened'],
    ],
    [
      'a reversal has no minus',
      `UPDATE webhooks.events SET body = replace(body, '"-', '"') WHERE event_type = 'adjustment'`,
      ['merchant-events-tell-what-happened'],
    ],
    [
      'a reversal leaves another amount',
      `UPDATE webhooks.events SET body = replace(body, '0.000001', '0') WHERE event_type = 'adjustment'`,
      ['merchant-events-tell-what-happened'],
    ],
    [
      'a delivery is of a deposit',
      `UPDATE webhooks.deliveries SET event_id = ${DEPOSIT} WHERE event_id IS NULL`,
      ['deliveries-carry-their-event', 'deliveries-tell-of-events'],
    ],
    [
      'a merchant event is of a status without notification',
      `INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
        SELECT id, organization_id, account_id, 'payment_request', aggregate_id, occurred_at,
          json_build_object('data', json_build_object('status', 'expired', 'payment_request_id', aggregate_id))
        FROM platform.events WHERE data ->> 'status' = 'expired'`,
      ['merchant-events-are-complete'],
    ],
    [
      'a merchant event is another organization’s',
      `UPDATE webhooks.events SET organization_id = gen_random_uuid() WHERE id = ${COMPLETED}`,
      ['deliveries-carry-their-event', 'merchant-events-tell-what-happened'],
    ],
    [
      'a merchant event has another status',
      `UPDATE webhooks.events SET body = replace(body, 'completed', 'overpaid') WHERE id = ${COMPLETED}`,
      ['deliveries-carry-their-event', 'merchant-events-tell-what-happened'],
    ],
    [
      'merchant events change places',
      `WITH away AS (DELETE FROM webhooks.events WHERE id <> ${COMPLETED} RETURNING *)
       INSERT INTO webhooks.events (id, organization_id, account_id, event_type, payment_request_id, occurred_at, body)
        SELECT id, organization_id, account_id, event_type, payment_request_id, occurred_at, body FROM away`,
      ['deliveries-wait-in-order', 'merchant-events-stand-in-order'],
    ],
  ];
}
