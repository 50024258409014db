import type { Random } from '../random.js';
import { somePrice } from './amounts.js';
import { dataOf, type Answer } from './calls.js';
import { refresh, remember, someRequest, type ShownRequest } from './known-requests.js';
import { memoryOf, type KnownPointOfSale, type KnownRequest } from './memory.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Merchant, World } from './world.js';

interface Coded extends KnownPointOfSale {
  readonly code: string;
}

async function someCode(world: World, merchant: Merchant, random: Random): Promise<Coded | undefined> {
  const pos = await somePointOfSale(world, merchant, random, 'physical');
  return pos?.code === undefined ? undefined : { ...pos, code: pos.code };
}

/** A payer reads the printed code, mostly after the cashier has made a request. */
const readCode: Act = {
  name: 'read the code of a till',
  weight: 3,
  async attempt(world, merchant, random) {
    const pos = await someCode(world, merchant, random);
    if (pos === undefined) return false;
    if (random.chance(0.6)) await createRequest(world, merchant, random, pos);
    const path = `/public/pos/${random.chance(0.05) ? pos.code.slice(1) : pos.code}`;
    const shown = shownIn(await world.call({ method: 'GET', path }));
    const known = shown && memoryOf(merchant).requests.find(shown.id);
    if (known !== undefined) refresh(world, known, shown!);
    return true;
  },
};

/** A wallet follows the printed code, and may name an asset. */
const followCode: Act = {
  name: 'follow the code of a till as a wallet or browser',
  weight: 1,
  async attempt(world, merchant, random) {
    const pos = await someCode(world, merchant, random);
    if (pos === undefined) return false;
    const option = random.oneOf(pos.config.payment_options);
    const query: Record<string, string> = random.chance(0.4) ? { payment_option: option } : {};
    const headers = { accept: random.chance(0.3) ? 'text/html' : 'application/json' };
    await world.call({ method: 'GET', path: `/pos/${pos.code}`, query, headers });
    return true;
  },
};

const typeAmount: Act = {
  name: 'type an amount at a till',
  weight: 5,
  async attempt(world, merchant, random) {
    const pos = await someCode(world, merchant, random);
    if (pos === undefined) return false;
    const typed = await type(world, merchant, random, pos, someRequest(merchant, random, isTyped(pos)));
    // Somebody else reads the code meanwhile.
    if (random.chance(0.5)) await world.call({ method: 'GET', path: `/public/pos/${pos.code}` });
    const found = typed && (await withAddress(world, typed, random));
    if (found === undefined) return true;
    if (random.chance(0.6)) pay(world, merchant, random, found, { amount: found.selection.amount });
    else await type(world, merchant, random, pos, typed);
    return true;
  },
};

/** @param before the payer's own session, which the new one may replace */
async function type(
  world: World,
  merchant: Merchant,
  random: Random,
  { id, code, accountId, config }: Coded,
  before: KnownRequest | undefined,
): Promise<KnownRequest | undefined> {
  const asset = world.network.assets.find(({ uniqueAssetId }) => uniqueAssetId === config.payment_options[0]);
  const coin_code = config.till?.coin_code ?? (random.chance(0.95) ? asset!.symbol : 'USD');
  const replaces = before?.sessionId !== undefined && random.chance(0.7) && { replaces: before.sessionId };
  const body = { amount: somePrice(random), coin_code, ...replaces };
  const shown = shownIn(await world.call({ method: 'POST', path: `/public/pos/${code}`, body }));
  return shown && remember(world, merchant, shown, { posId: id, accountId, way: 'typed' });
}

function isTyped({ id }: KnownPointOfSale): (request: KnownRequest) => boolean {
  return ({ way, posId }) => way === 'typed' && posId === id;
}

/** @returns the session, unless it has no id: then a payer is told nothing of it but what to pay */
function shownIn(answer: Answer): ShownRequest | undefined {
  const session = dataOf<{ checkout_session: Partial<ShownRequest> }>(answer)?.checkout_session;
  return session?.id === undefined ? undefined : (session as ShownRequest);
}

export const tillCodeActs: readonly Act[] = [readCode, followCode, typeAmount];
