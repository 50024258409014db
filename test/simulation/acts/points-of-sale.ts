import type { Random } from '../random.js';
import { somePrice } from './amounts.js';
import { hex, create, dataOf, keyOf, type Answer } from './calls.js';
import { type KnownConfig, type KnownPointOfSale, memoryOf } from './memory.js';
import { type World, act, type Act, type Merchant } from './world.js';

const TRADES = ['Café', 'Books & more', 'Garden <centre>', 'Ферма', '花屋', 'Taxi'];
const CURRENCY = 'USD';

export function someName(random: Random): string {
  return `${random.oneOf(TRADES)} ${random.whole(1, 999)}`;
}

/** @returns a configuration that the service takes: one to all assets, and each other field now and then */
export function someConfig(world: World, random: Random, type: KnownPointOfSale['type']): KnownConfig {
  const assets = random.shuffled(world.network.assets.map(({ uniqueAssetId }) => uniqueAssetId));
  return {
    merchant: someMerchant(random),
    payment_options: assets.slice(0, random.whole(1, assets.length)),
    ...(random.chance(0.4) && { return_url: `https://shop-${hex(random, 2)}.example/thanks?from=pay` }),
    ...(random.chance(0.2) && { frame_origins: [`https://shop-${hex(random, 2)}.example`] }),
    ...(random.chance(0.3) && { checkout_first: random.oneOf(['address', 'code']) }),
    ...(type === 'physical' && { open_amount: random.chance(0.6) }),
    ...(type === 'physical' && random.chance(0.5) && { till: someTill(random) }),
  };
}

function someMerchant(random: Random): object {
  return {
    name: someName(random),
    ...(random.chance(0.3) && { description: 'Everything, every day' }),
    ...(random.chance(0.3) && { tax_id: `DE${random.whole(100_000_000, 999_999_999)}` }),
    ...(random.chance(0.2) && { mcc: '5732' }),
  };
}

function someTill(random: Random): NonNullable<KnownConfig['till']> {
  const products = Array.from({ length: random.whole(0, 3) }, (_, at) => ({
    name: `Dish ${at}`,
    amount: somePrice(random),
  }));
  return { coin_code: CURRENCY, tip_percentages: [5, 10], ...(products.length > 0 && { products }) };
}

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

const createOne: Act = act('create a point of sale', 2, async (world, merchant, random) => {
  const all = merchant.accounts.flatMap(({ pointsOfSale }) => pointsOfSale);
  if (all.length >= MOST) return false;
  await openPointOfSale(world, merchant, random, random.chance(0.6) ? 'online' : 'physical');
});

const changeOne: Act = act('change a point of sale', 2, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random);
  if (pos === undefined) return false;
  const name = random.chance(0.3) ? someName(random) : pos.name;
  const sameType = random.chance(0.3) && { type: pos.type, account_id: pos.accountId };
  const body = { name, config: someConfig(world, random, pos.type), ...sameType };
  const call = { method: 'PUT', path: `/v1/pos/${pos.id}`, body, as: keyOf(merchant, random) } as const;
  keep(merchant, await world.call(call));
});

const refusedChange: Act = act(
  'change a point of sale as nobody may',
  0.5,
  async (world, merchant, random) => {
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
  },
);

export const pointOfSaleActs: readonly Act[] = [createOne, changeOne, refusedChange];
