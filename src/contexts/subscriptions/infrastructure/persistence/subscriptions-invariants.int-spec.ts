import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';
import { openSubscriptions, type OpenSubscriptions } from '../../testing/open-subscriptions.js';
import { chargeInvariants } from './charge-invariants.js';
import { subscriptionInvariants } from './subscription-invariants.js';

const DAY = 86_400;

let world: OpenSubscriptions;
const named = new Map<string, SubscriptionSnapshot>();

/**
 * Creates subscriptions in every state: paid, past due after three attempts, revoked after three unpaid charges,
 * completed, ended with an unpaid charge, on trial, offered, expired, and with a planned first request.
 */
beforeAll(async () => {
  world = await openSubscriptions();
  const now = (await world.platform.clock.now()).getTime();
  const inDays = (days: number) => new Date(now + days * DAY * 1_000);
  const keep = async (name: string, of: Promise<SubscriptionSnapshot>) => named.set(name, await of);
  await keep('offered', world.offer({ expiresAt: inDays(30) }));
  await keep('expired', world.offer());
  await keep('on trial', world.accept(await world.offer({ trialUntil: inDays(60) })));
  await keep('past due', world.accept(await world.offer({ referenceId: 'plan-7' })));
  await keep('revoked', world.accept(await world.offer({ interval: 'P1D' }), 'wallet-2'));
  await keep('completed', world.accept(await world.offer({ interval: 'P1D', endsAt: inDays(1.5) })));
  await keep('ended unpaid', world.accept(await world.offer({ interval: 'P1D', endsAt: inDays(1.5) })));
  await world.work();
  for (let day = 0; day < 3; day += 1) {
    if (day < 2) await payLast('completed');
    await world.passes(600);
    await world.passes(DAY - 600);
  }
  await keep('paid', world.accept(await world.offer()));
  await world.work();
  await payLast('paid');
  await world.passes(600);
  await keep('planned', world.accept(await world.offer()));
});
afterAll(() => world.close());

async function payLast(name: string): Promise<void> {
  const { items } = await world.list(named.get(name)!);
  await world.pays(items[0]!.request!);
}

class Undone extends Error {}

async function broken(): Promise<string[]> {
  const names: string[] = [];
  for (const { name, breaches } of [...subscriptionInvariants, ...chargeInvariants]) {
    if ((await world.database.query(breaches)).length > 0) names.push(name);
  }
  return names.sort();
}

/** Changes the database with triggers disabled and checks enabled, then rolls back. Returns the broken invariants. */
async function brokenBy(...statements: string[]): Promise<string[]> {
  let found: string[] = [];
  const tampering = world.database.run(async () => {
    await world.database.query('SET LOCAL session_replication_role = replica');
    for (const statement of statements) {
      const text = statement.replaceAll(/<([a-z ]+)>/g, (_, name: string) => `'${named.get(name)!.id}'`);
      expect(await world.database.queryInTransaction(`${text} RETURNING 1`)).not.toEqual([]);
    }
    found = await broken();
    throw new Undone();
  });
  await expect(tampering).rejects.toThrow(Undone);
  return found;
}

const subscription = (name: string, set: string) =>
  `UPDATE subscriptions.subscriptions SET ${set} WHERE id = <${name}>`;
const charge = (name: string, set: string) =>
  `UPDATE subscriptions.charges SET ${set} WHERE subscription_id = <${name}>`;
const request = (name: string, set: string) =>
  `UPDATE subscriptions.charge_requests SET ${set} WHERE subscription_id = <${name}>`;
const work = (set: string) => `UPDATE platform.due_work SET ${set} WHERE kind = 'charge_request'`;
const NO_NEXT = 'next_number = NULL, next_charge_at = NULL, next_step_at = NULL';

/** Invariants that report a change, followed by its SQL statements. `<name>` stands for the id of a subscription. */
const CHANGES: [reportedBy: string, ...statements: string[]][] = [
  [
    'subscription-due-dates-are-of-the-calendar',
    subscription(
      'paid',
      `next_charge_at = next_charge_at + interval '1 day', next_step_at = next_step_at + interval '1 day'`,
    ),
  ],
  ['subscription-due-dates-are-of-the-calendar', subscription('on trial', 'next_number = 1')],
  ['subscription-due-dates-are-of-the-calendar', subscription('paid', NO_NEXT)],
  ['subscriptions-know-their-next-step', subscription('past due', 'next_step_at = NULL')],
  [
    'subscriptions-move-in-time',
    subscription(
      'offered',
      `offered_until = platform.now() - interval '2 minutes', next_step_at = platform.now() - interval '2 minutes'`,
    ),
  ],
  [
    'subscription-events-tell-their-history subscription-history-follows-edges',
    'DELETE FROM subscriptions.status_history WHERE subscription_id = <revoked> AND step = 3',
  ],
  ['subscription-history-follows-edges', subscription('on trial', `status = 'completed', ${NO_NEXT}`)],
  [
    'subscription-events-tell-their-history',
    `UPDATE platform.events SET data = jsonb_set(data, '{amount}', '"1"') WHERE aggregate_id = <offered>`,
  ],
  [
    'accepted-wallets-never-change',
    subscription(
      'paid',
      'wallet_id = (SELECT w.id FROM subscriptions.wallets w WHERE w.id <> subscriptions.wallet_id LIMIT 1)',
    ),
  ],
  [
    'accepted-wallets-never-change',
    `UPDATE subscriptions.wallets SET organization_id = gen_random_uuid() WHERE external_id = 'wallet-2'`,
  ],
  [
    'past-due-subscriptions-owe subscription-events-tell-their-history',
    subscription('past due', `status = 'active'`),
    `INSERT INTO subscriptions.status_history VALUES (<past due>, 4, 'active', platform.now())`,
  ],
  [
    'subscription-due-dates-are-of-the-calendar subscription-history-follows-edges unpaid-charges-revoke',
    subscription('revoked', `status = 'past_due', revoked_by = NULL`),
  ],
  [
    'charges-are-open-while-they-can-be-paid subscription-history-follows-edges unpaid-charges-revoke',
    subscription('past due', `status = 'revoked', revoked_by = 'unpaid', ${NO_NEXT}`),
  ],
  [
    'charge-requests-are-of-due-tries charges-are-of-the-calendar',
    charge('paid', `due_at = due_at + interval '1 day'`),
  ],
  ['charges-share-their-tenant', charge('paid', 'account_id = gen_random_uuid()')],
  [
    'charge-requests-ask-what-was-agreed charges-share-their-tenant',
    request('paid', 'subscription_id = <planned>'),
  ],
  [
    'charges-are-as-their-requests charges-are-open-while-they-can-be-paid',
    charge('planned', `status = 'paid', paid_at = platform.now()`),
  ],
  ['charges-are-as-their-requests', charge('paid', `status = 'unpaid', paid_at = NULL`)],
  ['charges-are-as-their-requests', request('revoked', 'window_cut = true')],
  [
    'charge-requests-are-as-payments-says charges-are-as-their-requests',
    request('paid', `status = 'unpaid'`),
  ],
  [
    'charge-requests-ask-what-was-agreed',
    `UPDATE platform.events SET data = jsonb_set(data, '{opened,asked,amount}', '"10000001"') WHERE data ? 'opened'
       AND aggregate_id IN (SELECT payment_request_id FROM subscriptions.charge_requests WHERE subscription_id = <paid>)`,
  ],
  ['charge-requests-are-of-due-tries', request('planned', 'attempt = 1')],
  ['planned-charge-requests-are-scheduled', `DELETE FROM platform.due_work WHERE kind = 'charge_request'`],
  ['planned-charge-requests-are-scheduled', work('key = gen_random_uuid()')],
  ['charge-requests-are-opened-in-time', work(`due_at = due_at - interval '3 minutes'`)],
  [
    'charge-requests-are-opened-in-time',
    `UPDATE platform.clock_offset SET value = value + interval '3 minutes'`,
    work('due_at = platform.now()'),
  ],
];

describe('The set of invariants of subscriptions', () => {
  it('accepts subscriptions in each status, and has an example of a breach for each invariant', async () => {
    const statuses = await world.database.query<{ status: string }>(
      'SELECT DISTINCT status FROM subscriptions.subscriptions ORDER BY status',
    );

    expect(statuses.map(({ status }) => status)).toEqual([
      ...['active', 'completed', 'expired', 'past_due', 'pending', 'revoked'],
    ]);
    expect(await broken()).toEqual([]);
    const names = [...subscriptionInvariants, ...chargeInvariants].map(({ name }) => name);
    expect([...new Set(CHANGES.flatMap(([reported]) => reported.split(' ')))].sort()).toEqual(names.sort());
  });

  it.each(CHANGES)('detects a change of rows: breach of %s after %s', async (reported, ...statements) => {
    expect(await brokenBy(...statements)).toEqual(reported.split(' ').sort());
  });

  it('allows a minute for events that the payments context has just published', async () => {
    const [planned] = await world.database.query<{ id: PaymentRequestId }>(
      `SELECT payment_request_id AS id FROM subscriptions.charge_requests WHERE status = 'planned'`,
    );
    await world.opening(world.charges).open(planned!.id);

    const before = await broken();
    const after = await brokenBy(`UPDATE platform.clock_offset SET value = value + interval '61 seconds'`);
    await world.work();

    expect(before).toEqual([]);
    expect(after).toEqual(['charge-requests-are-as-payments-says']);
    expect(await broken()).toEqual([]);
  });
});
