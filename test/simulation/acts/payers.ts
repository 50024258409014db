import type { Random } from '../random.js';
import { leastOf, unitsOf } from './amounts.js';
import type { ShownRequest } from './known-requests.js';
import { pay, payable, type Payable } from './payable.js';
import { readRequest } from './request-reads.js';
import type { Act, Merchant, SimulatedAsset, World } from './world.js';

const isCoin = ({ token }: SimulatedAsset) => token === null;

/** An act that pays something open. @param send sends the transfers */
function paying(
  name: string,
  weight: number,
  send: (payable: Payable, world: World, merchant: Merchant, random: Random) => void,
  wanted?: (asset: SimulatedAsset) => boolean,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const found = await payable(
        world,
        merchant,
        random,
        wanted && { wanted, hasSession: random.chance(0.15) },
      );
      if (found === undefined) return false;
      const goOn = () => Promise.resolve(send(found, world, merchant, random));
      const wait = waitOf(found, world.now(), random);
      if (wait === 0) await goOn();
      else world.later(wait, goOn);
      return true;
    },
  };
}

/** Mostly the payer pays at once, or within the window; now and then around its end, when the block decides whether it counts. */
function waitOf({ request }: Payable, now: number, random: Random): number {
  const left = request.expiresAt - now;
  if (random.chance(0.55)) return 0;
  if (random.chance(0.7)) return random.whole(1, Math.max(1, Math.floor(left / 1_000))) * 1_000;
  return Math.max(0, left + random.whole(-120, 150) * 1_000);
}

const exactly = paying('pay exactly', 16, (found, world, merchant, random) =>
  pay(world, merchant, random, found, { amount: found.selection.amount }),
);

const less = paying('pay less', 4, (found, world, merchant, random) => {
  const { amount } = found.selection;
  const short = random.chance(0.5) ? 1n : (amount * BigInt(random.whole(1, 600))) / 10_000n;
  const sent = amount - (short < amount ? short : 0n);
  pay(world, merchant, random, found, { amount: random.chance(0.7) ? sent : amount / 2n + 1n });
});

const more = paying('pay more', 3, (found, world, merchant, random) => {
  const { amount } = found.selection;
  const beyond = random.chance(0.5) ? 1n : (amount * BigInt(random.whole(1, 300))) / 100n;
  pay(world, merchant, random, found, { amount: amount + beyond });
});

const inParts = paying('pay in several transfers', 4, (found, world, merchant, random) => {
  let left = found.selection.amount;
  for (const parts = random.whole(1, 3); left > 1n && random.chance(parts / 4);) {
    const part = (left * BigInt(random.whole(1, 80))) / 100n + 1n;
    pay(world, merchant, random, found, { amount: part });
    left -= part;
  }
  if (left > 0n) pay(world, merchant, random, found, { amount: left });
});

const twiceAtOnce = paying('pay in two transfers of one transaction', 2, (found, world, merchant, random) =>
  pay(world, merchant, random, found, { amount: evenOf(found.selection.amount), way: 'twice' }),
);

const doubly = paying('pay the whole amount twice', 3, (found, world, merchant, random) => {
  pay(world, merchant, random, found, { amount: found.selection.amount });
  const again = () =>
    Promise.resolve(pay(world, merchant, random, found, { amount: found.selection.amount }));
  world.later(random.whole(1, 480) * 1_000, again);
});

const byContract = paying(
  'pay the coin by a contract',
  3,
  (found, world, merchant, random) => {
    pay(world, merchant, random, found, { amount: found.selection.amount, way: 'inner' });
  },
  isCoin,
);

const nothing = paying('send zero', 1, (found, world, merchant, random) => {
  pay(world, merchant, random, found, { amount: 0n });
});

const dust = paying('send dust', 2, (found, world, merchant, random) => {
  const least = leastOf(found.asset);
  for (let times = random.whole(1, 3); times > 0; times -= 1)
    pay(world, merchant, random, found, { amount: random.chance(0.5) ? 1n : least - 1n });
});

const otherAsset = paying('pay in the wrong asset', 2, (found, world, merchant, random) => {
  const others = world.network.assets.filter(({ token }) => token !== found.asset.token);
  if (others.length === 0) return;
  const { token, decimals } = random.oneOf(others);
  pay(world, merchant, random, found, {
    token,
    amount: 10n ** BigInt(decimals) * BigInt(random.whole(1, 50)),
  });
});

const unknownToken = paying('send an unknown token', 1, (found, world, merchant, random) => {
  const token = random.oneOf(world.network.foreignTokens);
  pay(world, merchant, random, found, { token, amount: found.selection.amount });
});

/** A part at first, and later what the request then says is missing. */
const theRest: Act = {
  name: 'pay a part, then what is missing',
  weight: 4,
  async attempt(world, merchant, random) {
    const found = await payable(world, merchant, random);
    if (found === undefined) return false;
    const { amount } = found.selection;
    pay(world, merchant, random, found, { amount: (amount * BigInt(random.whole(5, 95))) / 100n + 1n });
    world.later(random.whole(60, 420) * 1_000, () => payTheRest(world, merchant, random, found));
    return true;
  },
};

async function payTheRest(world: World, merchant: Merchant, random: Random, found: Payable): Promise<void> {
  type Shown = ShownRequest & { readonly received_amount: string };
  const shown = await readRequest<Shown>(world, found.request, merchant.credentials[0]!);
  if (shown === undefined) return;
  const missing = found.selection.amount - unitsOf(shown.received_amount, found.asset.decimals);
  if (missing > 0n) pay(world, merchant, random, found, { amount: missing });
}

function evenOf(amount: bigint): bigint {
  return amount + (amount % 2n);
}

export const payerActs: readonly Act[] = [
  ...[exactly, less, more, inParts, twiceAtOnce, doubly, byContract],
  ...[nothing, dust, otherAsset, unknownToken, theRest],
];
