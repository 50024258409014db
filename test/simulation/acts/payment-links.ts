import type { AnswerFact } from '../facts/fact.js';
import type { Random } from '../random.js';
import { assetOf, somePrice, someUnits, textOf, someOrder } from './amounts.js';
import { create, dataOf, keyOf, type Answer } from './calls.js';
import { remember, type ShownRequest } from './known-requests.js';
import { memoryOf, type KnownLink, type KnownPointOfSale, type KnownRequest } from './memory.js';
import { pay, withAddress } from './payable.js';
import { somePointOfSale } from './points-of-sale.js';
import { act, type Act, type Merchant, type World } from './world.js';

/** A link remembers so many payers. */
const PAYERS = 4;

interface Link {
  readonly id: string;
  readonly code: string;
  readonly active: boolean;
}

const createOne: Act = act('create a payment link', 1.5, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random, random.chance(0.95) ? 'online' : undefined);
  if (pos === undefined) return false;
  await createLink(world, merchant, random, pos);
});

export async function createLink(
  world: World,
  merchant: Merchant,
  random: Random,
  pos: KnownPointOfSale,
): Promise<KnownLink | undefined> {
  const asset = assetOf(world, random.oneOf(pos.config.payment_options));
  const inUnits = random.chance(0.3) || asset.token === null;
  const price = inUnits
    ? { amount: textOf(someUnits(random, asset), asset), coin_code: asset.symbol }
    : { amount: somePrice(random), coin_code: 'USD' };
  const body = { ...price, ...someOrder(random, price.amount, price.coin_code) };
  const call = { method: 'POST', path: `/v1/pos/${pos.id}/payment-link`, body } as const;
  const made = await create<Link>(world, merchant, random, { ...call, as: keyOf(merchant, random) });
  if (made === undefined) return undefined;
  const { id, code, active } = made;
  return memoryOf(merchant).links.put({ id, posId: pos.id, code, active, cookies: [] });
}

const listAll: Act = act('list payment links', 0.5, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random, 'online');
  if (pos === undefined) return false;
  const path = `/v1/pos/${pos.id}/payment-link`;
  const query: Record<string, string> = random.chance(0.5) ? { page: '1', page_size: '5' } : {};
  await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) });
});

const turn: Act = act('activate or deactivate a payment link', 1, async (world, merchant, random) => {
  const link = await someLink(world, merchant, random);
  if (link === undefined) return false;
  const active = random.chance(link.active ? 0.2 : 0.8);
  const path = `/v1/pos/${link.posId}/payment-link/${link.id}/${active ? 'activate' : 'deactivate'}`;
  const shown = dataOf<Link>(await world.call({ method: 'PATCH', path, as: keyOf(merchant, random) }));
  if (shown !== undefined) link.active = shown.active;
});

const look: Act = act('look at a payment link', 2, async (world, merchant, random) => {
  const link = await someLink(world, merchant, random);
  if (link === undefined) return false;
  await visit(world, merchant, link, 'GET', somePayer(link, random));
});

const openIt: Act = act('open a payment link', 8, async (world, merchant, random) => {
  const link = await someLink(world, merchant, random);
  if (link === undefined) return false;
  const body = random.chance(0.2) ? { new: true } : undefined;
  const cookie = somePayer(link, random);
  const opened = await visit(world, merchant, link, 'POST', cookie, body);
  const own = cookie ?? link.cookies.at(-1);
  if (random.chance(0.2)) await visit(world, merchant, link, 'POST', own, body);
  if (opened === undefined || random.chance(0.2)) return;
  await choose(world, merchant, random, link, own, opened);
  const found = await withAddress(world, opened, random);
  if (found === undefined || random.chance(0.3)) return;
  pay(world, merchant, random, found, { amount: found.selection.amount });
  // The payment is in a block by then, and not final yet.
  const isNew = random.chance(0.6) ? { new: true } : undefined;
  const openAgain = async () => void (await visit(world, merchant, link, 'POST', own, isNew));
  if (random.chance(0.5)) world.later(random.whole(60, 300) * 1_000, openAgain);
});

const openTwice: Act = act('open a payment link twice at once', 2, async (world, merchant, random) => {
  const link = await someLink(world, merchant, random);
  if (link === undefined) return false;
  const path = `/public/payment-links/${link.code}/checkout`;
  for (let payers = random.whole(1, 3); payers > 0; payers -= 1) {
    const read = await world.call({ method: 'GET', path });
    const cookie = read === 'lost' ? undefined : cookieIn(read);
    const open = () => visit(world, merchant, link, 'POST', cookie);
    if (cookie !== undefined) await Promise.all([open(), open()]);
  }
});

const chooseFirst: Act = act(
  'select an asset at a payment link before it was opened',
  1,
  async (world, merchant, random) => {
    const link = await someLink(world, merchant, random);
    if (link === undefined) return false;
    const body = { unique_asset_id: random.oneOf(world.network.assets).uniqueAssetId };
    await visit(world, merchant, link, 'PUT', random.chance(0.5) ? undefined : somePayer(link, random), body);
  },
);

async function choose(
  world: World,
  merchant: Merchant,
  random: Random,
  link: KnownLink,
  cookie: string | undefined,
  { options }: KnownRequest,
): Promise<void> {
  if (options.length === 0) return;
  for (let times = random.whole(0, 2); times > 0; times -= 1) {
    const body = { unique_asset_id: random.oneOf(options) };
    await visit(world, merchant, link, 'PUT', cookie, body);
  }
}

async function visit(
  world: World,
  merchant: Merchant,
  link: KnownLink,
  method: 'GET' | 'POST' | 'PUT',
  cookie: string | undefined,
  body?: object,
): Promise<KnownRequest | undefined> {
  const path = `/public/payment-links/${link.code}/checkout`;
  const answer = await world.call({ method, path, body, headers: cookie === undefined ? {} : { cookie } });
  const given = answer === 'lost' ? undefined : cookieIn(answer);
  if (given !== undefined && given !== cookie && method === 'POST') {
    link.cookies.push(given);
    if (link.cookies.length > PAYERS) link.cookies.shift();
  }
  const session = sessionIn(answer);
  const { accountId } = memoryOf(merchant).pointsOfSale.find(link.posId) ?? {};
  if (session === undefined || accountId === undefined) return undefined;
  return remember(world, merchant, session, { posId: link.posId, accountId, way: 'link' });
}

function sessionIn(answer: Answer): ShownRequest | undefined {
  const session = dataOf<{ checkout_session: Partial<ShownRequest> }>(answer)?.checkout_session;
  return session?.id === undefined ? undefined : (session as ShownRequest);
}

function cookieIn({ headers }: AnswerFact): string | undefined {
  return /payment_link_session=[^;,\s]+/.exec(headers['set-cookie'] ?? '')?.[0];
}

async function someLink(world: World, merchant: Merchant, random: Random): Promise<KnownLink | undefined> {
  const all = memoryOf(merchant).links.all();
  if (all.length > 0) return random.oneOf(all);
  const pos = await somePointOfSale(world, merchant, random, 'online');
  return pos && createLink(world, merchant, random, pos);
}

function somePayer({ cookies }: KnownLink, random: Random): string | undefined {
  return cookies.length > 0 && random.chance(0.6) ? random.oneOf(cookies) : undefined;
}

export const paymentLinkActs: readonly Act[] = [
  createOne,
  listAll,
  turn,
  look,
  openIt,
  openTwice,
  chooseFirst,
];
