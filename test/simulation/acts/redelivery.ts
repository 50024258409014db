import { timeOf, type PageOf } from './answers.js';
import { create, dataOf, keyOf } from './calls.js';
import { memoryOf } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import { pathOf } from './webhooks.js';
import type { Act } from './world.js';

/** An entry of the log, as far as acts look at it. */
interface Attempt {
  readonly delivery_id: string;
  readonly webhook_id: string;
  readonly status: 'pending' | 'delivered' | 'failed';
}

/** Looking at what was delivered, and having it sent again. */
export const redeliveryActs: readonly Act[] = [
  {
    name: 'read the log of deliveries',
    weight: 1.6,
    async attempt(world, merchant, random) {
      const { accountId } = random.oneOf(merchant.accounts);
      const { webhooks } = memoryOf(merchant);
      const page = dataOf<PageOf<Attempt>>(
        await world.call({
          ...{ method: 'GET', path: `/v1/account/${accountId}/webhook/logs` },
          query: { page: String(random.chance(0.8) ? 1 : 2), page_size: String(random.whole(5, 50)) },
          as: keyOf(merchant, random),
        }),
      );
      for (const { delivery_id: id, webhook_id: of, status } of page?.data ?? []) {
        const webhook = webhooks.find(of);
        const isWanted = status !== 'delivered' || random.chance(0.2);
        if (webhook !== undefined && isWanted) moneyMemoryOf(merchant).deliveries.put({ id, webhook });
      }
      return true;
    },
  },
  {
    name: 'resend a delivery',
    weight: 1,
    async attempt(world, merchant, random) {
      const known = moneyMemoryOf(merchant).deliveries.all();
      if (known.length === 0) return false;
      const { id, webhook } = random.oneOf(known);
      moneyMemoryOf(merchant).deliveries.take(id);
      const path = pathOf(webhook, `delivery/${id}/resend`);
      await create(world, merchant, random, { method: 'POST', path, as: keyOf(merchant, random) });
      return true;
    },
  },
  {
    name: 'replay the events of a webhook',
    weight: 0.6,
    async attempt(world, merchant, random) {
      const known = memoryOf(merchant).webhooks.all();
      if (known.length === 0) return false;
      const webhook = random.oneOf(known);
      const to = world.now() - random.whole(0, 6) * 3_600_000;
      const from = to - random.whole(1, 24) * 3_600_000;
      const range = { from: timeOf(from), to: timeOf(to) };
      await create(world, merchant, random, {
        ...{ method: 'POST', path: pathOf(webhook, 'replay') },
        body: { ...range, ...(random.chance(0.3) && { dry_run: true }) },
        as: keyOf(merchant, random),
      });
      return true;
    },
  },
];
