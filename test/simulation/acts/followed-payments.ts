import type { Random } from '../random.js';
import { selectionOf } from './memory.js';
import { pay, payable, type Payable } from './payable.js';
import { readRequest } from './request-reads.js';
import { isSession, readSession, selectAsset } from './sessions.js';
import type { Act, World } from './world.js';

/** A payment is final some minutes after it was sent. */
const FIRST_LOOK_MS = 210_000;
const BETWEEN_LOOKS_MS = 25_000;
const LOOKS = 11;

/** Software that asks again and again while blocks confirm a payment, until it is done. */
const follow: Act = {
  name: 'follow a payment until it is final',
  weight: 3,
  async attempt(world, merchant, random) {
    const found = await payable(world, merchant, random);
    if (found === undefined) return false;
    const { amount } = found.selection;
    pay(world, merchant, random, found, { amount });
    const paysAgain = random.chance(0.6);
    const look = async (left: number): Promise<void> => {
      await readRequest(world, found.request, merchant.credentials[0]!);
      const isPaid = ['completed', 'overpaid'].includes(found.request.status);
      // Somebody who has not noticed pays a second time within the window.
      if (isPaid && paysAgain) pay(world, merchant, random, found, { amount });
      if (!isPaid && left > 0) world.later(BETWEEN_LOOKS_MS, () => look(left - 1));
    };
    world.later(FIRST_LOOK_MS + random.whole(0, 20) * 1_000, () => look(LOOKS));
    return true;
  },
};

/** The page is still open when the window closes, and the payer chooses then. */
const chooseLate: Act = {
  name: 'select another asset once the window has closed',
  weight: 2,
  async attempt(world, merchant, random) {
    const found = await payable(world, merchant, random, { hasSession: true });
    if (found === undefined) return false;
    const late = found.request.expiresAt - world.now() + random.whole(2, 100) * 1_000;
    world.later(late, () => chooseAnother(world, random, found));
    return true;
  },
};

async function chooseAnother(world: World, random: Random, { request }: Payable): Promise<void> {
  if (!isSession(request) || request.options.length === 0) return;
  const others = request.options.filter((option) => option !== selectionOf(request)?.uniqueAssetId);
  await selectAsset(world, request, random.oneOf(others.length > 0 ? others : request.options));
  await readSession(world, request);
}

export const followedPaymentActs: readonly Act[] = [follow, chooseLate];
