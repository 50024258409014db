import type { Random } from '../random.js';
import { MINUTE_MS } from './answers.js';
import type { KnownRequest } from './memory.js';
import { pay, payable } from './payable.js';
import { readRequest } from './request-reads.js';
import type { Act, Merchant, SimulatedAsset, World } from './world.js';

/** Sales that one settlement delivers together. */
export const settledSaleActs: readonly Act[] = [
  {
    name: 'pay odd amounts twice to one address',
    weight: 4,
    async attempt(world, merchant, random) {
      const found = await payable(world, merchant, random);
      if (found === undefined) return false;
      const { amount } = found.selection;
      pay(world, merchant, random, found, { amount: amount + odd(found.asset, random) });
      const again = async () => {
        pay(world, merchant, random, found, { amount: amount / 2n + odd(found.asset, random) });
        await look(world, merchant, random, found.request);
      };
      world.later(random.whole(6, 45) * MINUTE_MS, again);
      return true;
    },
  },
  {
    name: 'pay again and again while it is settled',
    weight: 5,
    async attempt(world, merchant, random) {
      const found = await payable(world, merchant, random);
      if (found === undefined) return false;
      const { amount } = found.selection;
      pay(world, merchant, random, found, { amount });
      // The forwarder pays out what comes before its own transaction too, booked or not.
      const more = () =>
        pay(world, merchant, random, found, { amount: amount / 8n + odd(found.asset, random) });
      world.later(random.whole(9, 40) * MINUTE_MS, async () => {
        await world.operator('settlement', 'run', world.network.network, '--yes');
        for (let minutes = 0; minutes < 24; minutes += random.whole(1, 5))
          world.later(minutes * MINUTE_MS + random.whole(1, 59_999), () => Promise.resolve(more()));
        await look(world, merchant, random, found.request);
      });
      return true;
    },
  },
];

/** So few of the smallest units that the fee of each payment is rounded. */
function odd({ decimals }: SimulatedAsset, random: Random): bigint {
  return BigInt(random.whole(1, 9_999)) * (decimals > 6 && random.chance(0.5) ? 10n ** 9n : 1n);
}

async function look(world: World, merchant: Merchant, random: Random, request: KnownRequest): Promise<void> {
  const read = () => readRequest(world, request, merchant.credentials[0]!);
  world.later(random.whole(5, 30) * MINUTE_MS, async () => void (await read()));
  await read();
}
