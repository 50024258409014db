/** A change in SQL, with `<name>` for the id of a subscription of the world, and all invariants that report it. */
export type SubscriptionTampering = [name: string, statements: string[], reportedBy: string[]];

const subscription = (name: string, set: string) =>
  `UPDATE subscriptions.subscriptions SET ${set} WHERE id = <${name}>`;

const HISTORY = ['subscription-events-tell-their-history', 'subscription-history-follows-edges'];

export const subscriptionTamperings: SubscriptionTampering[] = [
  [
    'the next due date is a day late',
    [
      subscription(
        'paid',
        `next_charge_at = next_charge_at + interval '1 day', next_step_at = next_step_at + interval '1 day'`,
      ),
    ],
    ['subscription-due-dates-are-of-the-calendar'],
  ],
  [
    'a due date is left out',
    [subscription('on trial', `next_number = 1`)],
    ['subscription-due-dates-are-of-the-calendar'],
  ],
  [
    'no due date follows',
    [subscription('paid', `next_number = NULL, next_charge_at = NULL, next_step_at = NULL`)],
    ['subscription-due-dates-are-of-the-calendar'],
  ],
  [
    'a trial ends earlier',
    [subscription('offered', `trial_until = platform.now()`)],
    ['subscription-due-dates-are-of-the-calendar'],
  ],
  [
    'nothing moves it any more',
    [subscription('past due', `next_step_at = NULL`)],
    ['subscriptions-know-their-next-step'],
  ],
  [
    'an offer does not end',
    [
      subscription(
        'offered',
        `offered_until = platform.now() - interval '2 minutes', next_step_at = platform.now() - interval '2 minutes'`,
      ),
    ],
    ['subscriptions-move-in-time'],
  ],
  [
    'a step is lost',
    [`DELETE FROM subscriptions.status_history WHERE subscription_id = <revoked> AND step = 3`],
    HISTORY,
  ],
  [
    'a step was another one',
    [
      `UPDATE subscriptions.status_history SET status = 'expired' WHERE subscription_id = <past due> AND step = 2`,
    ],
    [...HISTORY, 'accepted-wallets-never-change'],
  ],
  [
    'the status is not that of the last step',
    [
      subscription(
        'on trial',
        `status = 'completed', next_number = NULL, next_charge_at = NULL, next_step_at = NULL`,
      ),
    ],
    ['subscription-history-follows-edges'],
  ],
  [
    'an event is lost',
    [`DELETE FROM platform.events WHERE aggregate_id = <expired> AND data ->> 'status' = 'expired'`],
    ['subscription-events-tell-their-history'],
  ],
  [
    'events have another amount',
    [`UPDATE platform.events SET data = jsonb_set(data, '{amount}', '"1"') WHERE aggregate_id = <offered>`],
    ['subscription-events-tell-their-history'],
  ],
  [
    'another wallet pays',
    [
      subscription(
        'paid',
        `wallet_id = (SELECT w.id FROM subscriptions.wallets w WHERE w.id <> subscriptions.wallet_id LIMIT 1)`,
      ),
    ],
    ['accepted-wallets-never-change'],
  ],
  [
    'a wallet is another organization’s',
    [`UPDATE subscriptions.wallets SET organization_id = gen_random_uuid() WHERE external_id = 'wallet-2'`],
    ['accepted-wallets-never-change'],
  ],
  [
    'it was accepted at another time',
    [subscription('on trial', `accepted_at = accepted_at - interval '1 second'`)],
    ['accepted-wallets-never-change'],
  ],
  [
    'what is owed is forgotten',
    [
      subscription('past due', `status = 'active'`),
      `INSERT INTO subscriptions.status_history VALUES (<past due>, 4, 'active', platform.now())`,
    ],
    ['past-due-subscriptions-owe', 'subscription-events-tell-their-history'],
  ],
  [
    'three unpaid charges revoke nothing',
    [subscription('revoked', `status = 'past_due', revoked_by = NULL`)],
    [
      ...['subscription-due-dates-are-of-the-calendar', 'subscription-history-follows-edges'],
      'unpaid-charges-revoke',
    ],
  ],
  [
    'one unpaid charge revokes',
    [
      subscription(
        'past due',
        `status = 'revoked', revoked_by = 'unpaid', next_number = NULL, next_charge_at = NULL, next_step_at = NULL`,
      ),
    ],
    [
      ...['charges-are-open-while-they-can-be-paid', 'subscription-history-follows-edges'],
      'unpaid-charges-revoke',
    ],
  ],
];
