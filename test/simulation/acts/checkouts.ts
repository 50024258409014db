import type { Random } from '../random.js';
import { assetOf, somePrice, someUnits, textOf } from './amounts.js';
import { create, keyOf } from './calls.js';
import { remember, someRequest, type ShownRequest } from './known-requests.js';
import type { KnownPointOfSale, KnownRequest } from './memory.js';
import { someOrder, someReference } from './orders.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Merchant, World } from './world.js';

const createOne: Act = {
  name: 'create a checkout',
  weight: 8,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    await createCheckout(world, merchant, random, pos);
    return true;
  },
};

/** @returns the session, and what may be selected in it */
export async function createCheckout(
  world: World,
  merchant: Merchant,
  random: Random,
  pos: KnownPointOfSale,
  as = keyOf(merchant, random),
): Promise<KnownRequest | undefined> {
  const path = `/v1/pos/${pos.id}/payment-request-checkout`;
  const call = { method: 'POST', path, body: someBody(world, pos, random), as } as const;
  const shown = await create<ShownRequest>(world, merchant, random, call);
  return (
    shown && remember(world, merchant, shown, { posId: pos.id, accountId: pos.accountId, way: 'checkout' })
  );
}

const createRefused: Act = {
  name: 'create a checkout as nobody may',
  weight: 0.5,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const mistake = random.oneOf<object>([
      { coin_code: 'usd' },
      { coin_code: 'XYZ' },
      { amount: '1.001', coin_code: 'USD' },
      { amount: '0.001', coin_code: 'USD' },
      { amount: '0', coin_code: 'USD' },
      { return_url: 'http://shop.example/' },
      { return_url: 'https://user:word@shop.example/' },
      { unique_asset_id: pos.config.payment_options[0] },
    ]);
    const body = { ...someBody(world, pos, random), ...mistake };
    const path = `/v1/pos/${pos.id}/payment-request-checkout`;
    await world.call({ method: 'POST', path, body, as: merchant.credentials[0]! });
    return true;
  },
};

const readToken: Act = {
  name: 'read a payment token',
  weight: 1,
  async attempt(world, merchant, random) {
    const pos = random.chance(0.6) ? await somePointOfSale(world, merchant, random, 'online') : undefined;
    const made = pos && (await createCheckout(world, merchant, random, pos));
    const { token } = made ?? someRequest(merchant, random, (one) => one.token !== undefined) ?? {};
    if (token === undefined) return false;
    const at = random.whole(0, token.length - 1);
    const sent = random.chance(0.2) ? `${token.slice(0, at)}${token.slice(at + 1)}` : token;
    const body = { token: sent };
    await world.call({ method: 'POST', path: '/v1/naspip/read', body, as: keyOf(merchant, random) });
    if (random.chance(0.3)) await world.call({ method: 'GET', path: '/.well-known/naspip-keys' });
    return true;
  },
};

function someBody(world: World, { config }: KnownPointOfSale, random: Random): object {
  const asset = assetOf(world, random.oneOf(config.payment_options));
  const price = random.chance(0.55)
    ? { amount: somePrice(random), coin_code: random.chance(0.95) ? 'USD' : 'EUR' }
    : { amount: textOf(someUnits(random, asset), asset), coin_code: asset.symbol };
  return {
    ...price,
    ...someReference(random),
    ...someOrder(random, price.amount, price.coin_code),
    ...(random.chance(0.3) && { return_url: `https://shop.example/order/${random.whole(1, 999)}` }),
  };
}

export const checkoutActs: readonly Act[] = [createOne, createRefused, readToken];
