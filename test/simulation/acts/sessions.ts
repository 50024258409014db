import type { Random } from '../random.js';
import { dataOf } from './calls.js';
import { createCheckout } from './checkouts.js';
import { openRequest, refresh, someRequest, type ShownRequest } from './known-requests.js';
import type { KnownRequest } from './memory.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Merchant, World } from './world.js';

const PAGE = { accept: 'text/html', 'accept-language': 'es' };

export interface Session extends ShownRequest {
  readonly session_id: string;
  readonly x402_url?: string;
}

export type SessionRequest = KnownRequest & { readonly sessionId: string };

export const isSession = (request: KnownRequest): request is SessionRequest =>
  request.sessionId !== undefined;

/** Draws an open one that payers have a session of; it is created where there is none. */
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

/** Reads it as its payer does. @returns the session, where it was answered */
export async function readSession(world: World, request: SessionRequest): Promise<Session | undefined> {
  const path = `/public/checkout/${request.sessionId}`;
  const shown = dataOf<Session>(await world.call({ method: 'GET', path }));
  if (shown !== undefined) refresh(world, request, shown);
  return shown;
}

/** The payer takes an asset. @returns the session, where it was taken */
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

const poll: Act = {
  name: 'poll a checkout session',
  weight: 4,
  async attempt(world, merchant, random) {
    const isOld = random.chance(0.7);
    const request = isOld ? someSession(merchant, random) : await openSession(world, merchant, random);
    if (request === undefined) return false;
    const path = `/public/checkout/${request.sessionId}`;
    const first = await world.call({ method: 'GET', path });
    const shown = dataOf<Session>(first);
    if (shown !== undefined) refresh(world, request, shown);
    const etag = first === 'lost' ? undefined : first.headers['etag'];
    if (etag === undefined || random.chance(0.5)) return true;
    await world.call({ method: 'GET', path, headers: { 'if-none-match': etag } });
    return true;
  },
};

const select: Act = {
  name: 'select an asset',
  weight: 6,
  async attempt(world, merchant, random) {
    const request = await openSession(world, merchant, random);
    if (request === undefined || request.options.length === 0) return false;
    const option = random.chance(0.1)
      ? random.oneOf(world.network.assets).uniqueAssetId
      : random.oneOf(request.options);
    await selectAsset(world, request, option);
    return true;
  },
};

const selectAtOnce: Act = {
  name: 'select two assets at once',
  weight: 1,
  async attempt(world, merchant, random) {
    const request = await openSession(world, merchant, random);
    if (request === undefined || request.options.length === 0) return false;
    const [one, other] = [random.oneOf(request.options), random.oneOf(request.options)];
    await Promise.all([selectAsset(world, request, one), selectAsset(world, request, other)]);
    await readSession(world, request);
    return true;
  },
};

const askForPayment: Act = {
  name: 'ask as a wallet what to pay',
  weight: 3,
  async attempt(world, merchant, random) {
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
    return true;
  },
};

const openPage: Act = {
  name: 'open the hosted page',
  weight: 1.5,
  async attempt(world, merchant, random) {
    const isOld = random.chance(0.5);
    const request = isOld ? someSession(merchant, random) : await openSession(world, merchant, random);
    if (request === undefined) return false;
    const path = `/checkout/${request.sessionId}`;
    const query: Record<string, string> = random.chance(0.3)
      ? { pay: random.oneOf(['address', 'code', 'browser']) }
      : {};
    await world.call({ method: 'GET', path, query, headers: PAGE });
    if (request.options.length === 0 || random.chance(0.6)) return true;
    const form = { unique_asset_id: random.oneOf(request.options) };
    const headers = { ...PAGE, 'sec-fetch-site': 'same-origin' };
    await world.call({ method: 'POST', path, form, headers });
    await readSession(world, request);
    return true;
  },
};

const guess: Act = {
  name: 'ask for a session that there is not',
  weight: 0.2,
  async attempt(world, _merchant, random) {
    const sessionId = Array.from({ length: 22 }, () => random.oneOf([...'abcXYZ019-_'])).join('');
    await world.call({ method: 'GET', path: `/public/checkout/${sessionId}` });
    return true;
  },
};

export const sessionActs: readonly Act[] = [poll, select, selectAtOnce, askForPayment, openPage, guess];
