import type { Random } from '../random.js';
import { assetOf, leastOf, textOf, unitsOf } from './amounts.js';
import {
  hasStatus,
  repeat,
  timeOf,
  type PageOf,
  create,
  dataOf,
  hex,
  keyOf,
  MINUTE_MS,
  partOf,
} from './calls.js';
import { memoryOf, type KnownSubscription, moneyMemoryOf } from './memory.js';
import { somePointOfSale } from './points-of-sale.js';
import { act, type Act, type Merchant, type World } from './world.js';
import { remember } from './known-requests.js';

interface AnsweredSubscription {
  readonly id: string;
  readonly status: string;
  readonly wallet_external_id?: string | null;
  readonly wallet_id?: string;
  readonly url?: string;
}

const HOUR_MS = 3_600_000;
const WALLETS = ['wallet-a', 'wallet-b', 'wallet-c'];
const OVER = ['completed', 'expired', 'revoked'];

export const subscriptionActs: readonly Act[] = [
  act('offer a subscription', 4.8, async (world, merchant, random) => {
    const type = random.chance(0.95) ? 'online' : 'physical';
    const subscription = await offer(world, merchant, random, termsOf(world, random), type);
    // Most payers are sent to their wallet at once.
    if (subscription !== undefined && random.chance(0.6)) await accept(world, merchant, subscription, random);
  }),
  handling('accept a subscription', 5.6, ({ status }) => status === 'pending', accept),
  handling(
    'accept a subscription again',
    1.2,
    ({ walletExternalId }) => walletExternalId !== undefined,
    accept,
  ),
  handling(
    'revoke a subscription',
    0.48,
    () => true,
    async (world, merchant, subscription, random) => {
      const { id, posId } = subscription;
      const path = `/v1/pos/${posId}/subscription/${id}/revoke`;
      const answer = await repeat(world, { method: 'POST', path, as: keyOf(merchant, random) });
      refresh(subscription, dataOf(answer));
    },
  ),
  handling(
    'revoke a subscription by the wallet',
    0.6,
    ({ walletExternalId }) => walletExternalId !== undefined,
    async (world, merchant, subscription, random) => {
      const path = `/v1/wallets/v1/subscriptions/${subscription.id}/revoke`;
      const body = walletOf(subscription, random);
      const answer = await repeat(world, { method: 'POST', path, body, as: keyOf(merchant, random) });
      refresh(subscription, dataOf(answer));
    },
  ),
  handling('read a subscription', 2, () => true, readSubscription),
  act('list subscriptions', 1.6, async (world, merchant, random) => {
    const { pointsOfSale } = random.oneOf(merchant.accounts);
    if (pointsOfSale.length === 0) return false;
    const query = {
      ...{ page: '1', page_size: String(random.whole(1, 50)) },
      ...(random.chance(0.4) && { status: random.oneOf(['pending', 'active', 'past_due', ...OVER]) }),
    };
    const path = `/v1/pos/${random.oneOf(pointsOfSale).id}/subscription`;
    const answer = await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) });
    for (const read of dataOf<PageOf<AnsweredSubscription>>(answer)?.data ?? []) {
      const known = memoryOf(merchant).subscriptions.find(read.id);
      if (known !== undefined) refresh(known, read);
    }
  }),
];

export async function offer(
  world: World,
  merchant: Merchant,
  random: Random,
  terms: object,
  type: 'online' | 'physical' = 'online',
): Promise<KnownSubscription | undefined> {
  const pos = await somePointOfSale(world, merchant, random, type);
  if (pos === undefined) return undefined;
  const uniqueAssetId = random.oneOf(pos.config.payment_options);
  const amount = amountOf(world, uniqueAssetId, random);
  const made = await create<AnsweredSubscription>(world, merchant, random, {
    ...{ method: 'POST', path: `/v1/pos/${pos.id}/subscription` },
    ...{ body: { ...terms, amount, unique_asset_id: uniqueAssetId }, as: keyOf(merchant, random) },
  });
  if (made === undefined) return undefined;
  const { id, status, url } = made;
  if (url !== undefined) moneyMemoryOf(merchant).payerPages.put({ id: new URL(url).pathname });
  return memoryOf(merchant).subscriptions.put({ id, posId: pos.id, accountId: pos.accountId, status });
}

export async function readSubscription(
  world: World,
  merchant: Merchant,
  subscription: KnownSubscription,
  random: Random,
): Promise<void> {
  const path = `/v1/pos/${subscription.posId}/subscription/${subscription.id}`;
  const answer = await world.call({ method: 'GET', path, as: keyOf(merchant, random) });
  refresh(subscription, dataOf(answer));
}

export async function accept(
  world: World,
  merchant: Merchant,
  subscription: KnownSubscription,
  random: Random,
) {
  const path = `/v1/wallets/v1/subscriptions/${subscription.id}/accept`;
  const body = walletOf(subscription, random);
  const answer = await repeat(world, { method: 'POST', path, body, as: keyOf(merchant, random) });
  refresh(subscription, dataOf(answer));
  // The offer has expired, or another wallet was faster.
  if (subscription.status === 'pending' && hasStatus(answer, 409)) subscription.status = 'expired';
}

export function handling(
  name: string,
  weight: number,
  fits: (subscription: KnownSubscription) => boolean,
  handle: (
    world: World,
    merchant: Merchant,
    subscription: KnownSubscription,
    random: Random,
  ) => Promise<void>,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const known = memoryOf(merchant).subscriptions.all().filter(fits);
    if (known.length === 0) return false;
    await handle(world, merchant, random.oneOf(known), random);
  });
}

export function refresh(known: KnownSubscription, read: AnsweredSubscription | undefined): void {
  if (read === undefined) return;
  known.status = read.status;
  known.walletExternalId = read.wallet_external_id ?? known.walletExternalId;
  known.walletId = read.wallet_id ?? known.walletId;
}

/** Names the wallet by either of its ids: mostly the one that has accepted, seldom another one, both or none. */
function walletOf({ walletExternalId, walletId }: KnownSubscription, random: Random): object {
  const external = random.chance(0.15) ? random.oneOf(WALLETS) : (walletExternalId ?? random.oneOf(WALLETS));
  if (random.chance(0.03)) return random.oneOf([{}, { wallet_external_id: external, wallet_id: walletId }]);
  return walletId !== undefined && random.chance(0.4)
    ? { wallet_id: walletId }
    : { wallet_external_id: external };
}

/** Most are due each day: a run lasts some days. */
function termsOf(world: World, random: Random): object {
  const later = (least: number, most: number) => timeOf(world.now() + random.whole(least, most) * HOUR_MS);
  return {
    interval: random.oneOf(['P1D', 'P1D', 'P1D', 'P1D', 'P1W', 'P1M', 'P1Y']),
    ...(random.chance(0.4) && { reference_id: `member-${hex(random, 4)}` }),
    ...(random.chance(0.25) && { trial_until: later(1, 48) }),
    ...(random.chance(0.3) && { ends_at: random.chance(0.5) ? later(1, 40) : later(72, 200) }),
    ...(random.chance(0.3) && { expires_at: later(-1, 30) }),
  };
}

function amountOf(world: World, uniqueAssetId: string, random: Random): string {
  const asset = assetOf(world, uniqueAssetId);
  const least = leastOf(asset);
  return textOf(random.chance(0.97) ? least * BigInt(random.whole(1, 900)) : least / 2n, asset);
}

const DAY_MS = 1_440 * MINUTE_MS;

type Means = readonly [world: World, merchant: Merchant, random: Random];

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
      for (const { payment_request_id: id } of await checkoutChargeRequests(
        world,
        merchant,
        subscription,
        random,
      )) {
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

function subscribing(
  name: string,
  weight: number,
  termsOf: (world: World, random: Random) => object,
  goOn: (means: Means, subscription: KnownSubscription) => Promise<void>,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const terms = { ...termsOf(world, random), reference_id: `member-${hex(random, 4)}` };
    const subscription = await offer(world, merchant, random, terms);
    if (subscription !== undefined) await goOn([world, merchant, random], subscription);
  });
}

interface Charge {
  readonly status: 'open' | 'paid' | 'unpaid';
  readonly amount: string;
  readonly unique_asset_id: string;
  readonly payment_request_id?: string;
  readonly payment_status?: string;
  readonly address?: string;
  readonly expires_at?: string;
}

export const subscriptionChargeActs: readonly Act[] = [
  handling('ask for charges and pay them', 9.6, isPaid, (world, merchant, subscription, random) =>
    payCharges(world, merchant, subscription, random),
  ),
  act('pay at the page of a subscription', 1.2, async (world, merchant, random) => {
    const page = somePage(merchant, random);
    if (page === undefined) return false;
    await world.call({ ...page, method: 'GET' });
    if (random.chance(0.7)) await world.call({ ...page, method: 'POST', path: `${page.path}/pay`, form: {} });
  }),
  act('revoke at the page of a subscription', 0.4, async (world, merchant, random) => {
    const page = somePage(merchant, random);
    if (page === undefined) return false;
    if (random.chance(0.5)) await world.call({ ...page, method: 'GET', path: `${page.path}/revoke` });
    await world.call({ ...page, method: 'POST', path: `${page.path}/revoke`, form: {} });
  }),
];

function isPaid({ status }: KnownSubscription): boolean {
  return status === 'active' || status === 'past_due';
}

/** @param isSure what is open is paid exactly */
export async function payCharges(
  world: World,
  merchant: Merchant,
  subscription: KnownSubscription,
  random: Random,
  isSure = false,
): Promise<void> {
  for (const charge of await checkoutChargeRequests(world, merchant, subscription, random))
    pay(world, merchant, subscription, charge, random, isSure);
}

export async function checkoutChargeRequests(
  world: World,
  merchant: Merchant,
  subscription: KnownSubscription,
  random: Random,
): Promise<Charge[]> {
  const answer = await world.call({
    ...{ method: 'GET', path: `/v1/wallets/v1/subscriptions/${subscription.id}/charges` },
    query: { page: '1', page_size: '5' },
    as: keyOf(merchant, random),
  });
  return (dataOf<PageOf<Charge>>(answer)?.data ?? []).filter(({ status }) => status === 'open');
}

function pay(
  world: World,
  merchant: Merchant,
  { posId, accountId }: KnownSubscription,
  charge: Charge,
  random: Random,
  isSure: boolean,
): void {
  const { payment_request_id: id, address: to, unique_asset_id: uniqueAssetId, expires_at } = charge;
  const { charges } = moneyMemoryOf(merchant);
  if (id === undefined || to === undefined || expires_at === undefined) return;
  const request = remember(
    world,
    merchant,
    {
      ...{ id, status: charge.payment_status ?? 'created', expires_at, amount: charge.amount },
      ...{ unique_asset_id: uniqueAssetId, address: to },
    },
    { posId, accountId, way: 'charge' },
  );
  if (charges.find(id) !== undefined || (!isSure && random.chance(0.15))) return;
  charges.put({ id });
  const asset = assetOf(world, uniqueAssetId);
  const amount = unitsOf(charge.amount, asset.decimals);
  const send = (units: bigint) => {
    request.payments += 1;
    memoryOf(merchant).transactions.put({
      id: world.network.pay({
        to,
        token: asset.token,
        amount: units,
        payer: random.whole(0, world.network.payerKeys.length - 1),
      }),
    });
  };
  const part = partOf(amount, random);
  if (isSure || random.chance(0.8)) return send(amount);
  if (random.chance(0.3)) return send(amount + part);
  send(part);
  if (random.chance(0.5)) send(amount - part > 0n ? amount - part : 1n);
}

function somePage(merchant: Merchant, random: Random) {
  const known = moneyMemoryOf(merchant).payerPages.all();
  if (known.length === 0) return undefined;
  return {
    path: random.oneOf(known).id,
    from: `10.8.0.${random.whole(1, 254)}`,
    headers: { 'sec-fetch-site': 'same-origin' },
  } as const;
}
