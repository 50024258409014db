import type { Random } from '../random.js';
import { assetOf, unitsOf } from './amounts.js';
import { partOf, type PageOf } from './answers.js';
import { dataOf, keyOf } from './calls.js';
import { remember } from './known-requests.js';
import { memoryOf, type KnownSubscription } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import { handling } from './subscriptions.js';
import type { Act, Merchant, World } from './world.js';

/** A charge as wallets see it. */
interface Charge {
  readonly status: 'open' | 'paid' | 'unpaid';
  readonly amount: string;
  readonly unique_asset_id: string;
  readonly payment_request_id?: string;
  readonly payment_status?: string;
  readonly address?: string;
  readonly expires_at?: string;
}

/** Wallets that pay what is due, or do not; and the payer at the page of the subscription. */
export const subscriptionChargeActs: readonly Act[] = [
  handling('ask for charges and pay them', 9.6, isPaid, (world, merchant, subscription, random) =>
    payCharges(world, merchant, subscription, random),
  ),
  {
    name: 'pay at the page of a subscription',
    weight: 1.2,
    async attempt(world, merchant, random) {
      const page = somePage(merchant, random);
      if (page === undefined) return false;
      await world.call({ ...page, method: 'GET' });
      if (random.chance(0.7))
        await world.call({ ...page, method: 'POST', path: `${page.path}/pay`, form: {} });
      return true;
    },
  },
  {
    name: 'revoke at the page of a subscription',
    weight: 0.4,
    async attempt(world, merchant, random) {
      const page = somePage(merchant, random);
      if (page === undefined) return false;
      if (random.chance(0.5)) await world.call({ ...page, method: 'GET', path: `${page.path}/revoke` });
      await world.call({ ...page, method: 'POST', path: `${page.path}/revoke`, form: {} });
      return true;
    },
  },
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
  for (const charge of await openCharges(world, merchant, subscription, random))
    pay(world, merchant, subscription, charge, random, isSure);
}

/** @returns the charges of a wallet that are to be paid */
export async function openCharges(
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

/** Most are paid exactly and once; some wallets forget, send too little or too much, or in two parts. */
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
