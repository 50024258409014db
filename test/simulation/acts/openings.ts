import { fillFloat } from './refund-floats.js';
import { registerWebhook } from './webhooks.js';
import type { Act } from './world.js';

/** Most merchants do this before their first day, so that what comes of their first payment is sent and can be paid back. */
export const openings: readonly Omit<Act, 'weight'>[] = [
  {
    name: 'begin with webhooks',
    async attempt(world, merchant, random) {
      for (const account of merchant.accounts)
        for (const event_type of ['payment_request', 'refund'].filter(() => random.chance(0.8)))
          await registerWebhook(world, merchant, random, account, {
            url: world.receivers.open(),
            event_type,
          });
      return true;
    },
  },
  {
    name: 'begin with a refund float',
    async attempt(world, merchant, random) {
      if (random.chance(0.3)) return false;
      await fillFloat(world, merchant, random);
      return true;
    },
  },
];
