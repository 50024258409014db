import { describe, expect, it } from '@jest/globals';
import type { SubscriptionSnapshot } from '../../domain/subscription-snapshot.js';
import { acceptedSubscription, dayAfterStart, newOffer, START } from '../../testing/agreed.js';
import type { ChargeView } from '../persistence/subscription-queries.js';
import { SubscriptionPageModels } from './subscription-page-models.js';

const models = new SubscriptionPageModels(
  ...([
    { asset: () => undefined, network: () => undefined },
    { brandingOf: async () => ({}) },
    { find: async () => ({ merchant: { name: 'Corner Coffee', description: 'Beans every month' } }) },
    { isSandbox: true },
  ] as unknown as ConstructorParameters<typeof SubscriptionPageModels>),
);
const latest: ChargeView = { id: 'c', number: 0, dueAt: START, closesAt: dayAfterStart(28), status: 'open' };
const before = (date: Date) => new Date(date.getTime() - 1);
const modelAt = (subscription: SubscriptionSnapshot, now: Date, charge = latest) =>
  models.modelOf({ subscription, charges: { items: [], total: 0 }, latest: charge, now });

describe('The page of a subscription', () => {
  it('shows an offer as expired from the end of the offer', async () => {
    const { snapshot } = newOffer({ offeredUntil: dayAfterStart(1) });

    expect((await modelAt(snapshot, before(dayAfterStart(1)))).status).toBe('pending');
    expect((await modelAt(snapshot, dayAfterStart(1))).status).toBe('expired');
  });

  it('offers to pay the latest charge until the next due date', async () => {
    const { snapshot } = acceptedSubscription();

    expect((await modelAt(snapshot, before(dayAfterStart(28)))).toPay).toEqual({
      ...{ dueAt: START, until: dayAfterStart(28), refused: false },
    });
    expect((await modelAt(snapshot, dayAfterStart(28))).toPay).toBeUndefined();
    expect((await modelAt(snapshot, START, { ...latest, status: 'unpaid' })).toPay).toBeUndefined();
    expect((await modelAt({ ...snapshot, status: 'revoked' }, START)).toPay).toBeUndefined();
  });
});
