import type { Random } from '../random.js';
import { leastOf, unitsOf, assetOf } from './amounts.js';
import { type ShownRequest, someRequest } from './known-requests.js';
import { pay, payable, type Payable, withAddress } from './payable.js';
import { readRequest, createRequest } from './payment-requests.js';
import { act, type Act, type Merchant, type SimulatedAsset, type World } from './world.js';
import { MINUTE_MS, dataOf, hex, keyOf } from './calls.js';
import { createCheckout, isSession, selectAsset, readSession } from './checkouts.js';
import { selectionOf, type KnownRequest } from './memory.js';
import { somePointOfSale } from './points-of-sale.js';

const isCoin = ({ token }: SimulatedAsset) => token === null;

function paying(
  name: string,
  weight: number,
  send: (payable: Payable, world: World, merchant: Merchant, random: Random) => void,
  wanted?: (asset: SimulatedAsset) => boolean,
): Act {
  return act(name, weight, async (world, merchant, random) => {
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
  });
}

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

const theRest: Act = act('pay a part, then what is missing', 4, async (world, merchant, random) => {
  const found = await payable(world, merchant, random);
  if (found === undefined) return false;
  const { amount } = found.selection;
  pay(world, merchant, random, found, { amount: (amount * BigInt(random.whole(5, 95))) / 100n + 1n });
  world.later(random.whole(60, 420) * 1_000, () => payTheRest(world, merchant, random, found));
});

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

const DAY_MS = 1_440 * MINUTE_MS;

function paysLate(name: string, weight: number, from: number, to: number): Act {
  return act(name, weight, (world, merchant, random) => {
    const isLate = ({ expiresAt, selections }: KnownRequest) => {
      const late = world.now() - expiresAt;
      return late >= from && late < to && selections.length > 0;
    };
    const request = someRequest(merchant, random, isLate);
    if (request !== undefined) payOld(world, merchant, random, request);
    return Promise.resolve(request !== undefined);
  });
}

const minutesLate: Act = act('pay minutes late', 3, async (world, merchant, random) => {
  const found = await payable(world, merchant, random);
  if (found === undefined) return false;
  const { amount } = found.selection;
  if (random.chance(0.3)) pay(world, merchant, random, found, { amount: amount / 2n + 1n });
  const wait = found.request.expiresAt - world.now() + random.whole(30, 1_200) * 1_000;
  world.later(wait, () => Promise.resolve(pay(world, merchant, random, found, { amount })));
});

const replacedSelection: Act = act(
  'pay to the address of a replaced selection',
  3,
  async (world, merchant, random) => {
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
  },
);

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

const FIRST_LOOK_MS = 210_000;
const BETWEEN_LOOKS_MS = 25_000;
const LOOKS = 11;

const follow: Act = act('follow a payment until it is final', 3, async (world, merchant, random) => {
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
});

const chooseLate: Act = act(
  'select another asset once the window has closed',
  2,
  async (world, merchant, random) => {
    const found = await payable(world, merchant, random, { hasSession: true });
    if (found === undefined) return false;
    const late = found.request.expiresAt - world.now() + random.whole(2, 100) * 1_000;
    world.later(late, () => chooseAnother(world, random, found));
  },
);

async function chooseAnother(world: World, random: Random, { request }: Payable): Promise<void> {
  if (!isSession(request) || request.options.length === 0) return;
  const others = request.options.filter((option) => option !== selectionOf(request)?.uniqueAssetId);
  await selectAsset(world, request, random.oneOf(others.length > 0 ? others : request.options));
  await readSession(world, request);
}

export const followedPaymentActs: readonly Act[] = [follow, chooseLate];

/** Basis points of the shortfall, and the most that may be missing: within both bounds, and beyond the one or the other. */
const SHORTFALLS = [
  [300, '1000000'],
  [300, '0.000001'],
  [900, '1000000'],
] as const;

export const toleranceActs: readonly Act[] = [
  act('pay less where some of it is tolerated', 2, async (world, merchant, random) => {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const [missing, at_most] = random.oneOf(SHORTFALLS);
    const body = {
      name: `store ${hex(random, 2)}`,
      underpayment_tolerance: { basis_points: 500, at_most },
    };
    const path = `/v1/account/${pos.accountId}`;
    const as = keyOf(merchant, random);
    if (dataOf(await world.call({ method: 'PUT', path, body, as })) === undefined) return;
    const asset = assetOf(world, random.oneOf(pos.config.payment_options));
    const request = await createRequest(world, merchant, random, pos, { asset });
    const found = request && (await withAddress(world, request, random));
    if (found === undefined) return;
    const { amount } = found.selection;
    pay(world, merchant, random, found, { amount: amount - (amount * BigInt(missing)) / 10_000n });
    const look = async () => void (await readRequest(world, request!, merchant.credentials[0]!));
    world.later(random.whole(600, 2_400) * 1_000, look);
  }),
];
