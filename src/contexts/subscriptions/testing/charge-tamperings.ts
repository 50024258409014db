import type { SubscriptionTampering } from './subscription-tamperings.js';

const charge = (name: string, set: string) =>
  `UPDATE subscriptions.charges SET ${set} WHERE subscription_id = <${name}>`;
const request = (name: string, set: string) =>
  `UPDATE subscriptions.charge_requests SET ${set} WHERE subscription_id = <${name}>`;
const requestsOf = (name: string) =>
  `(SELECT payment_request_id FROM subscriptions.charge_requests WHERE subscription_id = <${name}>)`;

export const chargeTamperings: SubscriptionTampering[] = [
  [
    'a charge is due a day late',
    [charge('paid', `due_at = due_at + interval '1 day'`)],
    ['charge-requests-are-of-due-tries', 'charges-are-of-the-calendar'],
  ],
  [
    'a charge closes later',
    [charge('paid', `closes_at = closes_at + interval '1 day'`)],
    ['charges-are-of-the-calendar'],
  ],
  [
    'a charge was made too early',
    [charge('revoked', `created_at = due_at - interval '1 hour'`)],
    ['charges-are-of-the-calendar'],
  ],
  [
    'charges are made in another order',
    [charge('revoked', `created_at = platform.now()`)],
    ['charges-are-of-the-calendar'],
  ],
  [
    'a charge is another account’s',
    [charge('paid', `account_id = gen_random_uuid()`)],
    ['charges-share-their-tenant'],
  ],
  [
    'a charge is another subscription’s',
    [request('paid', `subscription_id = <planned>`)],
    ['charge-requests-ask-what-was-agreed', 'charges-share-their-tenant'],
  ],
  [
    'a charge is paid without a payment',
    [charge('planned', `status = 'paid', paid_at = platform.now()`)],
    ['charges-are-as-their-requests', 'charges-are-open-while-they-can-be-paid'],
  ],
  [
    'a payment pays no charge',
    [charge('paid', `status = 'unpaid', paid_at = NULL`)],
    ['charges-are-as-their-requests'],
  ],
  [
    'a try counts twice',
    [charge('past due', `counted_tries = counted_tries + 1, next_try = 4`)],
    ['charges-are-as-their-requests', 'subscriptions-know-their-next-step'],
  ],
  [
    'a try counts that was cut short',
    [request('revoked', `window_cut = true`)],
    ['charges-are-as-their-requests'],
  ],
  [
    'a charge stays open that nobody can pay',
    [charge('revoked', `status = 'open'`)],
    ['charges-are-open-while-they-can-be-paid'],
  ],
  [
    'a request is unpaid that was paid',
    [request('paid', `status = 'unpaid'`)],
    ['charge-requests-are-as-payments-says', 'charges-are-as-their-requests'],
  ],
  [
    'payments says something else',
    [
      `UPDATE platform.events SET data = jsonb_set(data, '{status}', '"failed"')
          WHERE data ->> 'status' = 'expired' AND aggregate_id IN ${requestsOf('revoked')}`,
    ],
    ['charge-requests-are-as-payments-says'],
  ],
  [
    'a request was closed early, and nobody minds',
    [
      `INSERT INTO platform.events (transaction_id, id, type, aggregate_id, organization_id, account_id, occurred_at, data)
          SELECT '1', gen_random_uuid(), 'payment_request.window_closed', r, gen_random_uuid(), gen_random_uuid(),
            platform.now(), '{}' FROM ${requestsOf('revoked')} requests (r)`,
    ],
    ['charge-requests-are-as-payments-says'],
  ],
  [
    'more is asked for than was agreed',
    [
      `UPDATE platform.events SET data = jsonb_set(data, '{opened,asked,amount}', '"10000001"')
          WHERE data ? 'opened' AND aggregate_id IN ${requestsOf('paid')}`,
    ],
    ['charge-requests-ask-what-was-agreed'],
  ],
  [
    'a request has another reference',
    [
      `UPDATE platform.events SET data = jsonb_set(data, '{referenceId}', '"plan-8"')
          WHERE data ? 'opened' AND aggregate_id IN ${requestsOf('past due')}`,
    ],
    ['charge-requests-ask-what-was-agreed'],
  ],
  ['a try was made too early', [request('planned', `attempt = 1`)], ['charge-requests-are-of-due-tries']],
  [
    'due work is lost',
    [`DELETE FROM platform.due_work WHERE kind = 'charge_request'`],
    ['planned-charge-requests-are-scheduled'],
  ],
  [
    'work is due of no request',
    [`UPDATE platform.due_work SET key = gen_random_uuid() WHERE kind = 'charge_request'`],
    ['planned-charge-requests-are-scheduled'],
  ],
  [
    'due work is not done',
    [`UPDATE platform.due_work SET due_at = due_at - interval '3 minutes' WHERE kind = 'charge_request'`],
    ['charge-requests-are-opened-in-time'],
  ],
  [
    'a request is not opened, and nobody says why',
    [
      `UPDATE platform.clock_offset SET value = value + interval '3 minutes'`,
      `UPDATE platform.due_work SET due_at = platform.now()`,
    ],
    ['charge-requests-are-opened-in-time'],
  ],
];
