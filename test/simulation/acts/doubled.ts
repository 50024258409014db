import type { Random } from '../random.js';
import { atOnce, hex, keyOf } from './calls.js';
import { someRequest, type ShownRequest } from './known-requests.js';
import { memoryOf, type KnownRequest } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import { readRequest } from './request-reads.js';
import { pathOf } from './webhooks.js';
import type { Act, Call, Merchant, World } from './world.js';

/** Requests that impatient people and programs send several times at once, under one idempotency key. */
export const doubledActs: readonly Act[] = [
  {
    name: 'repeat a creation at once under its idempotency key',
    weight: 2,
    async attempt(world, merchant, random) {
      const creations = memoryOf(merchant).creations.all();
      if (creations.length === 0) return false;
      const { call } = random.oneOf(creations.slice(-4));
      await atOnce(world, call, 6);
      return true;
    },
  },
  {
    name: 'refund twice at once',
    weight: 3,
    async attempt(world, merchant, random) {
      const { spent } = moneyMemoryOf(merchant);
      const fits = ({ id, payments }: KnownRequest) => payments > 0 && spent.find(id) === undefined;
      const request = someRequest(merchant, random, fits);
      const shown = request && (await readRequest<ShownRequest>(world, request, merchant.credentials[0]!));
      if (shown === undefined || !['completed', 'overpaid', 'underpaid'].includes(shown.status)) return false;
      await atOnce(
        world,
        {
          ...{ method: 'POST', path: `/v1/refunds/payment-request/${shown.id}` },
          body: { refund_to_address: random.oneOf(world.network.strangers) },
          ...{ as: merchant.credentials[0]!, idempotencyKey: `twice-${hex(random, 8)}` },
        },
        2,
      );
      return true;
    },
  },
  doubling('rotate a secret twice at once', 0.7, (_world, merchant, random) => {
    const webhooks = memoryOf(merchant).webhooks.all();
    if (webhooks.length === 0) return undefined;
    return { path: pathOf(random.oneOf(webhooks), 'rotate-secret'), body: { overlap_seconds: 60 } };
  }),
  doubling('register a webhook twice at once', 1.5, (world, merchant, random) => {
    const { accountId } = random.oneOf(merchant.accounts);
    const body = { url: world.receivers.open(), event_type: random.oneOf(['payment_request', 'refund']) };
    return { path: `/v1/account/${accountId}/webhook`, body };
  }),
];

function doubling(
  name: string,
  weight: number,
  callOf: (world: World, merchant: Merchant, random: Random) => Pick<Call, 'path' | 'body'> | undefined,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const call = callOf(world, merchant, random);
      if (call === undefined) return false;
      const idempotencyKey = `twice-${hex(random, 8)}`;
      await atOnce(world, { ...call, method: 'POST', as: keyOf(merchant, random), idempotencyKey }, 2);
      return true;
    },
  };
}
