import type { Random } from '../random.js';
import { assetOf, somePrice, someUnits, textOf, someOrder, someReference } from './amounts.js';
import { create, keyOf, dataOf } from './calls.js';
import {
  remember,
  someRequest,
  type ShownRequest,
  openRequest,
  refresh,
  sendableBody,
} from './known-requests.js';
import type { KnownPointOfSale, KnownRequest } from './memory.js';
import { somePointOfSale } from './points-of-sale.js';
import { act, type Act, type Merchant, type World } from './world.js';

const createOne: Act = act('create a checkout', 8, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random);
  if (pos === undefined) return false;
  await createCheckout(world, merchant, random, pos);
});

export async function createCheckout(
  world: World,
  merchant: Merchant,
  random: Random,
  pos: KnownPointOfSale,
  as = keyOf(merchant, random),
): Promise<KnownRequest | undefined> {
  const path = `/v1/pos/${pos.id}/payment-request-checkout`;
  const body = sendableBody(merchant, as, someBody(world, pos, random));
  const call = { method: 'POST', path, body, as } as const;
  const shown = await create<ShownRequest>(world, merchant, random, call);
  return (
    shown && remember(world, merchant, shown, { posId: pos.id, accountId: pos.accountId, way: 'checkout' })
  );
}

const createRefused: Act = act('create a checkout as nobody may', 0.5, async (world, merchant, random) => {
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
});

const readToken: Act = act('read a payment token', 1, async (world, merchant, random) => {
  const pos = random.chance(0.6) ? await somePointOfSale(world, merchant, random, 'online') : undefined;
  const made = pos && (await createCheckout(world, merchant, random, pos));
  const { token } = made ?? someRequest(merchant, random, (one) => one.token !== undefined) ?? {};
  if (token === undefined) return false;
  const at = random.whole(0, token.length - 1);
  const sent = random.chance(0.2) ? `${token.slice(0, at)}${token.slice(at + 1)}` : token;
  const body = { token: sent };
  await world.call({ method: 'POST', path: '/v1/naspip/read', body, as: keyOf(merchant, random) });
  if (random.chance(0.3)) await world.call({ method: 'GET', path: '/.well-known/naspip-keys' });
});

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

const PAGE = { accept: 'text/html', 'accept-language': 'es' };

export interface Session extends ShownRequest {
  readonly session_id: string;
}

export type SessionRequest = KnownRequest & { readonly sessionId: string };

export const isSession = (request: KnownRequest): request is SessionRequest =>
  request.sessionId !== undefined;

async function openSession(
  world: World,
  merchant: Merchant,
  random: Random,
): Promise<SessionRequest | undefined> {
  const known = openRequest(world, merchant, random, isSession) as SessionRequest | undefined;
  if (known !== undefined) return known;
  const pos = await somePointOfSale(world, merchant, random, 'online');
  const made = pos && (await createCheckout(world, merchant, random, pos));
  return made !== undefined && isSession(made) ? made : undefined;
}

function someSession(merchant: Merchant, random: Random): SessionRequest | undefined {
  return someRequest(merchant, random, isSession) as SessionRequest | undefined;
}

export async function readSession(world: World, request: SessionRequest): Promise<Session | undefined> {
  const path = `/public/checkout/${request.sessionId}`;
  const shown = dataOf<Session>(await world.call({ method: 'GET', path }));
  if (shown !== undefined) refresh(world, request, shown);
  return shown;
}

export async function selectAsset(
  world: World,
  request: SessionRequest,
  uniqueAssetId: string,
): Promise<Session | undefined> {
  const path = `/public/checkout/${request.sessionId}/select-asset`;
  const body = { unique_asset_id: uniqueAssetId };
  const shown = dataOf<Session>(await world.call({ method: 'POST', path, body }));
  if (shown !== undefined) refresh(world, request, shown);
  return shown;
}

const poll: Act = act('poll a checkout session', 4, async (world, merchant, random) => {
  const isOld = random.chance(0.7);
  const request = isOld ? someSession(merchant, random) : await openSession(world, merchant, random);
  if (request === undefined) return false;
  const path = `/public/checkout/${request.sessionId}`;
  const first = await world.call({ method: 'GET', path });
  const shown = dataOf<Session>(first);
  if (shown !== undefined) refresh(world, request, shown);
  const etag = first === 'lost' ? undefined : first.headers['etag'];
  if (etag === undefined || random.chance(0.5)) return;
  await world.call({ method: 'GET', path, headers: { 'if-none-match': etag } });
});

const select: Act = act('select an asset', 6, async (world, merchant, random) => {
  const request = await openSession(world, merchant, random);
  if (request === undefined || request.options.length === 0) return false;
  const option = random.chance(0.1)
    ? random.oneOf(world.network.assets).uniqueAssetId
    : random.oneOf(request.options);
  await selectAsset(world, request, option);
});

const selectAtOnce: Act = act('select two assets at once', 1, async (world, merchant, random) => {
  const request = await openSession(world, merchant, random);
  if (request === undefined || request.options.length === 0) return false;
  const [one, other] = [random.oneOf(request.options), random.oneOf(request.options)];
  await Promise.all([selectAsset(world, request, one), selectAsset(world, request, other)]);
  await readSession(world, request);
});

const askForPayment: Act = act('ask as a wallet what to pay', 3, async (world, merchant, random) => {
  const request = random.chance(0.8)
    ? await openSession(world, merchant, random)
    : someSession(merchant, random);
  if (request === undefined) return false;
  const path = `/public/checkout/${request.sessionId}/payment`;
  const named = request.options.length > 0 && random.chance(0.5);
  const query: Record<string, string> = named ? { payment_option: random.oneOf(request.options) } : {};
  const headers = random.chance(0.1) ? PAGE : { accept: 'application/json' };
  await world.call({ method: 'GET', path, query, headers });
  if (named) await readSession(world, request);
});

const openPage: Act = act('open the hosted page', 1.5, async (world, merchant, random) => {
  const isOld = random.chance(0.5);
  const request = isOld ? someSession(merchant, random) : await openSession(world, merchant, random);
  if (request === undefined) return false;
  const path = `/checkout/${request.sessionId}`;
  const query: Record<string, string> = random.chance(0.3)
    ? { pay: random.oneOf(['address', 'code', 'browser']) }
    : {};
  await world.call({ method: 'GET', path, query, headers: PAGE });
  if (request.options.length === 0 || random.chance(0.6)) return;
  const form = { unique_asset_id: random.oneOf(request.options) };
  const headers = { ...PAGE, 'sec-fetch-site': 'same-origin' };
  await world.call({ method: 'POST', path, form, headers });
  await readSession(world, request);
});

const guess: Act = act('ask for a session that there is not', 0.2, async (world, _merchant, random) => {
  const sessionId = Array.from({ length: 22 }, () => random.oneOf([...'abcXYZ019-_'])).join('');
  await world.call({ method: 'GET', path: `/public/checkout/${sessionId}` });
});

export const sessionActs: readonly Act[] = [poll, select, selectAtOnce, askForPayment, openPage, guess];
