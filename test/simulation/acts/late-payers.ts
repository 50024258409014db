import type { Random } from '../random.js';
import { assetOf, leastOf } from './amounts.js';
import { MINUTE_MS } from './answers.js';
import { createCheckout } from './checkouts.js';
import { someRequest } from './known-requests.js';
import { selectionOf, type KnownRequest } from './memory.js';
import { pay, payable } from './payable.js';
import { somePointOfSale } from './points-of-sale.js';
import { isSession, selectAsset } from './sessions.js';
import type { Act, Merchant, World } from './world.js';

const DAY_MS = 1_440 * MINUTE_MS;

/** An act that pays a request whose window closed in a time before now. */
function paysLate(name: string, weight: number, from: number, to: number): Act {
  return {
    name,
    weight,
    attempt(world, merchant, random) {
      const isLate = ({ expiresAt, selections }: KnownRequest) => {
        const late = world.now() - expiresAt;
        return late >= from && late < to && selections.length > 0;
      };
      const request = someRequest(merchant, random, isLate);
      if (request !== undefined) payOld(world, merchant, random, request);
      return Promise.resolve(request !== undefined);
    },
  };
}

/** A payer comes back a few minutes after the end, whatever became of the payment. */
const minutesLate: Act = {
  name: 'pay minutes late',
  weight: 3,
  async attempt(world, merchant, random) {
    const found = await payable(world, merchant, random);
    if (found === undefined) return false;
    const { amount } = found.selection;
    if (random.chance(0.3)) pay(world, merchant, random, found, { amount: amount / 2n + 1n });
    const wait = found.request.expiresAt - world.now() + random.whole(30, 1_200) * 1_000;
    world.later(wait, () => Promise.resolve(pay(world, merchant, random, found, { amount })));
    return true;
  },
};

/** The address of the first choice stays good; the payer may pay to it, or to both. */
const replacedSelection: Act = {
  name: 'pay to the address of a replaced selection',
  weight: 3,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random, 'online');
    if (pos === undefined || pos.config.payment_options.length < 2) return false;
    const request = await createCheckout(world, merchant, random, pos);
    if (request === undefined || !isSession(request) || request.options.length < 2) return false;
    const [one, other] = random.shuffled(request.options);
    await selectAsset(world, request, one!);
    const first = selectionOf(request);
    await selectAsset(world, request, other!);
    const second = selectionOf(request);
    if (first === undefined || second === undefined) return false;
    const payOne = () => payTo(world, merchant, random, request, first);
    const payOther = () => payTo(world, merchant, random, request, second);
    payOne();
    if (random.chance(0.4)) payOther();
    else if (random.chance(0.3))
      world.later(random.whole(30, 400) * 1_000, () => Promise.resolve(payOther()));
    return true;
  },
};

function payTo(
  world: World,
  merchant: Merchant,
  random: Random,
  request: KnownRequest,
  selection: KnownRequest['selections'][number],
): void {
  const asset = assetOf(world, selection.uniqueAssetId);
  const amount = random.chance(0.7) ? selection.amount : selection.amount / 2n + 1n;
  pay(world, merchant, random, { request, selection, asset }, { amount });
}

/** In what was asked for mostly, to any address that was shown; much, or less than is worth a record of its own. */
function payOld(world: World, merchant: Merchant, random: Random, request: KnownRequest): void {
  const selection = random.oneOf(request.selections);
  const asset = assetOf(world, selection.uniqueAssetId);
  const sent = random.chance(0.8) ? asset : random.oneOf(world.network.assets);
  const least = leastOf(sent);
  const amount = random.chance(0.3) ? least - 1n : least * BigInt(random.whole(1, 5_000));
  const way = sent.token === null && random.chance(0.3) ? 'inner' : 'plain';
  const exactly = sent === asset && random.chance(0.5) ? selection.amount : amount;
  pay(world, merchant, random, { request, selection, asset }, { token: sent.token, amount: exactly, way });
}

export const latePayerActs: readonly Act[] = [
  minutesLate,
  replacedSelection,
  paysLate('pay hours late', 2, 20 * MINUTE_MS, DAY_MS),
  paysLate('pay days late', 2, DAY_MS, Infinity),
];
