import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { SubscriptionState } from '../../domain/subscription-state.js';
import { chargeTamperings } from '../../testing/charge-tamperings.js';
import { openSubscriptions, type OpenSubscriptions } from '../../testing/open-subscriptions.js';
import { subscriptionTamperings } from '../../testing/subscription-tamperings.js';
import { chargeInvariants } from './charge-invariants.js';
import { subscriptionInvariants } from './subscription-invariants.js';

const DAY = 86_400;
const tamperings = [...subscriptionTamperings, ...chargeTamperings];

let world: OpenSubscriptions;
const named = new Map<string, SubscriptionState>();

/**
 * A subscription of each kind: one whose charge was paid, one that is past due after three tries, one that three unpaid days
 * have revoked, one that was paid to its end, one whose end came unpaid, one on trial, one that is offered, one whose offer has ended, and one whose first request is planned.
 */
beforeAll(async () => {
  world = await openSubscriptions();
  const now = (await world.platform.clock.now()).getTime();
  const inDays = (days: number) => new Date(now + days * DAY * 1_000);
  const keep = async (name: string, of: Promise<SubscriptionState>) => named.set(name, await of);
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

/** Changes the database with triggers off and checks on, and takes the changes back. */
async function brokenBy(...statements: string[]): Promise<string[]> {
  let found: string[] = [];
  const tampering = world.database.run(async () => {
    await world.database.query('SET LOCAL session_replication_role = replica');
    for (const statement of statements) {
      const text = statement.replaceAll(/<([a-z ]+)>/g, (_, name: string) => `'${named.get(name)!.id}'`);
      expect(await world.database.write(`${text} RETURNING 1`)).not.toEqual([]);
    }
    found = await broken();
    throw new Undone();
  });
  await expect(tampering).rejects.toThrow(Undone);
  return found;
}

describe('The invariants of subscriptions', () => {
  it('hold while nobody tampers, of subscriptions in each status', async () => {
    const statuses = await world.database.query<{ status: string }>(
      'SELECT DISTINCT status FROM subscriptions.subscriptions ORDER BY status',
    );

    expect(statuses.map(({ status }) => status)).toEqual([
      ...['active', 'completed', 'expired', 'past_due', 'pending', 'revoked'],
    ]);
    expect(await broken()).toEqual([]);
  });

  it('are each broken by one of these', () => {
    const names = [...subscriptionInvariants, ...chargeInvariants].map(({ name }) => name);

    expect([...new Set(tamperings.flatMap(([, , reported]) => reported))].sort()).toEqual(names.sort());
  });

  it.each(tamperings)('report when %s', async (_, statements, reported) => {
    expect(await brokenBy(...statements)).toEqual([...reported].sort());
  });

  it('ignore for a minute what payments has just published', async () => {
    const [planned] = await world.database.query<{ id: PaymentRequestId }>(
      `SELECT payment_request_id AS id FROM subscriptions.charge_requests WHERE status = 'planned'`,
    );
    await world.opening(world.charges).execute(planned!.id);

    const before = await broken();
    const after = await brokenBy(`UPDATE platform.clock_offset SET value = value + interval '61 seconds'`);
    await world.work();

    expect(before).toEqual([]);
    expect(after).toEqual(['charge-requests-are-as-payments-says']);
    expect(await broken()).toEqual([]);
  });
});
