import type { Random } from '../random.js';
import { create, dataOf, keyOf, type Answer } from './calls.js';
import { memoryOf, type KnownConfig, type KnownPointOfSale } from './memory.js';
import { someConfig, someName } from './point-of-sale-config.js';
import type { Act, Merchant, World } from './world.js';

type Type = KnownPointOfSale['type'];

/** No merchant has more, since all are read where a run is judged. */
const MOST = 8;

interface PointOfSale {
  readonly id: string;
  readonly account_id: string;
  readonly type: Type;
  readonly name: string;
  readonly code?: string;
  readonly config: KnownConfig;
}

/** @returns one of the merchant's; it is created where there is none of the type */
export async function somePointOfSale(
  world: World,
  merchant: Merchant,
  random: Random,
  type?: Type,
): Promise<KnownPointOfSale | undefined> {
  const all = merchant.accounts.flatMap(({ pointsOfSale }) => pointsOfSale);
  const fitting = all.filter((one) => type === undefined || one.type === type);
  if (fitting.length === 0) return openPointOfSale(world, merchant, random, type ?? 'online');
  return knownPointOfSale(world, merchant, random.oneOf(fitting).id);
}

/** @returns it as it is remembered, or else as it is read */
export async function knownPointOfSale(
  world: World,
  merchant: Merchant,
  id: string,
): Promise<KnownPointOfSale | undefined> {
  const known = memoryOf(merchant).pointsOfSale.find(id);
  if (known !== undefined) return known;
  const path = `/v1/pos/${id}`;
  return keep(merchant, await world.call({ method: 'GET', path, as: merchant.credentials[0]! }));
}

/** @returns a new one, if its creation was answered */
export async function openPointOfSale(
  world: World,
  merchant: Merchant,
  random: Random,
  type: Type,
  account = random.oneOf(merchant.accounts),
): Promise<KnownPointOfSale | undefined> {
  const place = { type, account_id: account.accountId };
  const body = { name: someName(random), ...place, config: someConfig(world, random, type) };
  const call = { method: 'POST', path: '/v1/pos', body, as: keyOf(merchant, random) } as const;
  const made = await create<PointOfSale>(world, merchant, random, call);
  if (made === undefined) return undefined;
  account.pointsOfSale.push({ id: made.id, type });
  return put(merchant, made);
}

function keep(merchant: Merchant, answer: Answer): KnownPointOfSale | undefined {
  const shown = dataOf<PointOfSale>(answer);
  return shown && put(merchant, shown);
}

function put(merchant: Merchant, shown: PointOfSale): KnownPointOfSale {
  const { id, account_id: accountId, type, name, code, config } = shown;
  return memoryOf(merchant).pointsOfSale.put({ id, accountId, type, name, code, config });
}

const createOne: Act = {
  name: 'create a point of sale',
  weight: 2,
  async attempt(world, merchant, random) {
    const all = merchant.accounts.flatMap(({ pointsOfSale }) => pointsOfSale);
    if (all.length >= MOST) return false;
    await openPointOfSale(world, merchant, random, random.chance(0.6) ? 'online' : 'physical');
    return true;
  },
};

const changeOne: Act = {
  name: 'change a point of sale',
  weight: 2,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const name = random.chance(0.3) ? someName(random) : pos.name;
    const sameType = random.chance(0.3) && { type: pos.type, account_id: pos.accountId };
    const body = { name, config: someConfig(world, random, pos.type), ...sameType };
    const call = { method: 'PUT', path: `/v1/pos/${pos.id}`, body, as: keyOf(merchant, random) } as const;
    keep(merchant, await world.call(call));
    return true;
  },
};

const refusedChange: Act = {
  name: 'change a point of sale as nobody may',
  weight: 0.5,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const config = someConfig(world, random, pos.type);
    const [option] = config.payment_options;
    const body = random.oneOf<object>([
      { name: pos.name, config, type: pos.type === 'online' ? 'physical' : 'online' },
      { name: pos.name, config: { ...config, payment_options: [option, option] } },
      { name: pos.name, config: { ...config, payment_options: [] } },
      { name: '', config },
      { name: pos.name, config: { ...config, surprise: true } },
      { name: pos.name },
    ]);
    await world.call({ method: 'PUT', path: `/v1/pos/${pos.id}`, body, as: merchant.credentials[0]! });
    return true;
  },
};

export const pointOfSaleActs: readonly Act[] = [createOne, changeOne, refusedChange];
