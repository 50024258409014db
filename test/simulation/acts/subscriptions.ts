import type { Random } from '../random.js';
import { assetOf, leastOf, textOf } from './amounts.js';
import { hasStatus, repeat, timeOf, type PageOf } from './answers.js';
import { create, dataOf, hex, keyOf } from './calls.js';
import { memoryOf, type KnownSubscription } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Merchant, World } from './world.js';

/** A subscription as the merchant and the wallet are answered; the wallet has fewer fields. */
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
  {
    name: 'offer a subscription',
    weight: 4.8,
    async attempt(world, merchant, random) {
      const type = random.chance(0.95) ? 'online' : 'physical';
      const subscription = await offer(world, merchant, random, termsOf(world, random), type);
      // Most payers are sent to their wallet at once.
      if (subscription !== undefined && random.chance(0.6))
        await accept(world, merchant, subscription, random);
      return true;
    },
  },
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
  {
    name: 'list subscriptions',
    weight: 1.6,
    async attempt(world, merchant, random) {
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
      return true;
    },
  },
];

/** @returns the offer, if it was answered */
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

/** An act on one of the subscriptions that the merchant knows. */
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
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      const known = memoryOf(merchant).subscriptions.all().filter(fits);
      if (known.length === 0) return false;
      await handle(world, merchant, random.oneOf(known), random);
      return true;
    },
  };
}

/** Takes what was answered; a wallet's answer names no wallet id. */
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

/** Some hundred least amounts, seldom too little. */
function amountOf(world: World, uniqueAssetId: string, random: Random): string {
  const asset = assetOf(world, uniqueAssetId);
  const least = leastOf(asset);
  return textOf(random.chance(0.97) ? least * BigInt(random.whole(1, 900)) : least / 2n, asset);
}
