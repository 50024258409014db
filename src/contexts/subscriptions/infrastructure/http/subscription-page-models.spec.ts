import { describe, expect, it } from '@jest/globals';
import type { SubscriptionState } from '../../domain/subscription-state.js';
import { accepted, day, offer, START } from '../../testing/agreed.js';
import type { ChargeView } from '../persistence/subscription-queries.js';
import { SubscriptionPageModels } from './subscription-page-models.js';

const models = new SubscriptionPageModels(
  ...([
    { asset: () => undefined, network: () => undefined },
    { brandingOf: async () => ({}) },
  ] as unknown as ConstructorParameters<typeof SubscriptionPageModels>),
);
const latest: ChargeView = { id: 'c', number: 0, dueAt: START, closesAt: day(28), status: 'open' };
const before = (date: Date) => new Date(date.getTime() - 1);
const modelAt = (subscription: SubscriptionState, now: Date, charge = latest) =>
  models.modelOf({ subscription, charges: { items: [], total: 0 }, latest: charge, now });

describe('The page of a subscription', () => {
  it('shows an offer as expired from the end of the offer', async () => {
    const { snapshot } = offer({ offeredUntil: day(1) });

    expect((await modelAt(snapshot, before(day(1)))).status).toBe('pending');
    expect((await modelAt(snapshot, day(1))).status).toBe('expired');
  });

  it('offers to pay the latest charge until the next due date', async () => {
    const { snapshot } = accepted();

    expect((await modelAt(snapshot, before(day(28)))).toPay).toEqual({
      ...{ dueAt: START, until: day(28), refused: false },
    });
    expect((await modelAt(snapshot, day(28))).toPay).toBeUndefined();
    expect((await modelAt(snapshot, START, { ...latest, status: 'unpaid' })).toPay).toBeUndefined();
    expect((await modelAt({ ...snapshot, status: 'revoked' }, START)).toPay).toBeUndefined();
  });
});
