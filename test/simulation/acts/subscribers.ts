import type { Random } from '../random.js';
import { MINUTE_MS, repeat, timeOf } from './answers.js';
import { dataOf, hex, keyOf } from './calls.js';
import type { KnownSubscription } from './memory.js';
import { openCharges, payCharges } from './subscription-charges.js';
import { accept, offer, readSubscription, refresh } from './subscriptions.js';
import type { Act, Merchant, World } from './world.js';

const DAY_MS = 1_440 * MINUTE_MS;

type Means = readonly [world: World, merchant: Merchant, random: Random];

/** Subscribers at the edges of their agreements. */
export const subscriberActs: readonly Act[] = [
  subscribing(
    'two wallets accept a subscription at once',
    2,
    mostlyTried,
    async ([world, merchant, random], subscription) => {
      const path = `/v1/wallets/v1/subscriptions/${subscription.id}/accept`;
      const as = keyOf(merchant, random);
      const calls = ['wallet-a', 'wallet-b'].map((wallet_external_id) =>
        world.call({ method: 'POST', path, body: { wallet_external_id }, as }),
      );
      for (const answer of await Promise.all(calls)) refresh(subscription, dataOf(answer));
    },
  ),
  subscribing(
    'accept an offer that ends at that moment',
    1,
    (world, random) => ({
      interval: 'P1D',
      expires_at: timeOf(world.now() + random.whole(1, 12) * MINUTE_MS),
    }),
    async ([world, merchant, random], subscription) => {
      const late = async () => accept(world, merchant, subscription, random);
      world.later(random.whole(2, 16) * MINUTE_MS, late);
    },
  ),
  subscribing('end the request of a charge', 1.5, daily, async ([world, merchant, random], subscription) => {
    await accept(world, merchant, subscription, random);
    const end = async () => {
      for (const { payment_request_id: id } of await openCharges(world, merchant, subscription, random)) {
        const path = `/v1/pos/${subscription.posId}/payment-request/${id}`;
        const as = keyOf(merchant, random);
        await world.call({ method: 'GET', path, as });
        await repeat(world, { method: 'POST', path: `${path}/expire`, as });
      }
      // The window that follows is not over by then.
      for (const minutes of [1, 2, 4, 6, 7])
        world.later(minutes * MINUTE_MS, () => readSubscription(world, merchant, subscription, random));
    };
    world.later(random.whole(5, 300) * 1_000, end);
  }),
  subscribing(
    'pay a charge after it was missed',
    1.5,
    (_world, random) => ({ interval: random.oneOf(['P1W', 'P1M', 'P1Y']) }),
    async (means, subscription) => {
      const [world, merchant, random] = means;
      await accept(world, merchant, subscription, random);
      payLater(means, subscription, random.whole(20, 600) * MINUTE_MS);
    },
  ),
  subscribing(
    'pay the last charge at the last moment',
    1.5,
    (world, random) => ({
      interval: 'P1D',
      ends_at: timeOf(world.now() + random.whole(2, 1_300) * MINUTE_MS),
    }),
    async (means, subscription) => {
      const [world, merchant, random] = means;
      await accept(world, merchant, subscription, random);
      payLater(means, subscription, DAY_MS - random.whole(5, 400) * 1_000);
    },
  ),
];

/** Mostly with a trial: without one the acceptance opens a charge, which only one of two acceptances can do. */
function mostlyTried(world: World, random: Random): object {
  const trial_until = timeOf(world.now() + random.whole(60, 1_200) * MINUTE_MS);
  return { ...daily(), ...(random.chance(0.7) && { trial_until }) };
}

function daily(): object {
  return { interval: 'P1D' };
}

function payLater([world, merchant, random]: Means, subscription: KnownSubscription, ms: number): void {
  world.later(ms, async () => {
    await payCharges(world, merchant, subscription, random, true);
    world.later(40 * MINUTE_MS, () => readSubscription(world, merchant, subscription, random));
  });
}

/** An act that begins with an offer. */
function subscribing(
  name: string,
  weight: number,
  termsOf: (world: World, random: Random) => object,
  goOn: (means: Means, subscription: KnownSubscription) => Promise<void>,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const terms = { ...termsOf(world, random), reference_id: `member-${hex(random, 4)}` };
      const subscription = await offer(world, merchant, random, terms);
      if (subscription !== undefined) await goOn([world, merchant, random], subscription);
      return true;
    },
  };
}
