import type { Random } from '../random.js';
import { assetOf, leastOf, someUnits, textOf } from './amounts.js';
import { atOnce, create, dataOf, keyOf } from './calls.js';
import { remember, type ShownRequest } from './known-requests.js';
import { memoryOf, type KnownPointOfSale, type KnownRequest } from './memory.js';
import { someOrder, someReference } from './orders.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Credential, Merchant, SimulatedAsset, World } from './world.js';

const pathOf = (posId: string) => `/v1/pos/${posId}/payment-request`;

const createOne: Act = {
  name: 'create a payment request',
  weight: 12,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    await createRequest(world, merchant, random, pos);
    return true;
  },
};

/** @param asset one of the payment options; any unless it is named @param as one of the merchant's keys unless it is named */
export async function createRequest(
  world: World,
  merchant: Merchant,
  random: Random,
  pos: KnownPointOfSale,
  { asset, as = keyOf(merchant, random) }: { readonly asset?: SimulatedAsset; readonly as?: Credential } = {},
): Promise<KnownRequest | undefined> {
  const body = someBody(world, pos, random, asset);
  const call = { method: 'POST', path: pathOf(pos.id), body, as } as const;
  const shown = await create<ShownRequest>(world, merchant, random, call);
  return (
    shown && remember(world, merchant, shown, { posId: pos.id, accountId: pos.accountId, way: 'direct' })
  );
}

const createRefused: Act = {
  name: 'create a payment request as nobody may',
  weight: 1,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const body = { ...someBody(world, pos, random), ...someMistake(world, pos, random) };
    const foreign = random.oneOf(world.merchants).accounts.flatMap(({ pointsOfSale }) => pointsOfSale)[0];
    const posId = random.chance(0.15) && foreign !== undefined ? foreign.id : pos.id;
    await world.call({ method: 'POST', path: pathOf(posId), body, as: merchant.credentials[0]! });
    return true;
  },
};

/** Software repeats what it is not sure of; some of it forgets to draw a new key. */
const repeatOne: Act = {
  name: 'repeat a creation under its idempotency key',
  weight: 2,
  async attempt(world, merchant, random) {
    const creations = memoryOf(merchant).creations.all();
    if (creations.length === 0) return false;
    const { call } = random.oneOf(creations);
    const body = (call.body ?? {}) as object;
    const changed = { ...body, [textFieldOf(body)]: `changed-${random.whole(1, 9)}` };
    await world.call(random.chance(0.25) ? { ...call, body: changed } : call);
    return true;
  },
};

const repeatAtOnce: Act = {
  name: 'create a payment request twice at once',
  weight: 2,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const as = merchant.credentials[0]!;
    const idempotencyKey = `twice-${random.bits()}`;
    const body = someBody(world, pos, random);
    const call = { method: 'POST', path: pathOf(pos.id), body, as, idempotencyKey } as const;
    const answers = await atOnce(world, call, 2);
    const shown = answers.map((answer) => dataOf<ShownRequest>(answer)).find((one) => one !== undefined);
    const place = { posId: pos.id, accountId: pos.accountId, way: 'direct' } as const;
    if (shown !== undefined) remember(world, merchant, shown, place);
    return true;
  },
};

function someBody(
  world: World,
  { config }: KnownPointOfSale,
  random: Random,
  asset = assetOf(world, random.oneOf(config.payment_options)),
): object {
  const amount = textOf(someUnits(random, asset), asset);
  const option = random.chance(0.1) ? asset.uniqueAssetId.replace(/0x.*/, lower) : asset.uniqueAssetId;
  const payment = { amount, unique_asset_id: option };
  return { ...payment, ...someReference(random), ...someOrder(random, amount, asset.symbol) };
}

function someMistake(world: World, { config }: KnownPointOfSale, random: Random): object {
  const asset = assetOf(world, config.payment_options[0]!);
  const { uniqueAssetId: unique_asset_id } = asset;
  const others = world.network.assets.filter((one) => !config.payment_options.includes(one.uniqueAssetId));
  return random.oneOf<object>([
    { unique_asset_id, amount: textOf(leastOf(asset) - 1n, asset) },
    { unique_asset_id, amount: `1.${'0'.repeat(asset.decimals)}1` },
    ...['0', '-5', '1e3', '01', '1,5', '.5', ' 1', ''].map((amount) => ({ unique_asset_id, amount })),
    { unique_asset_id, amount: 5 },
    { unique_asset_id: others[0]?.uniqueAssetId ?? 'nnowhere_t0x00' },
    { reference_id: 'x'.repeat(129) },
    { reference_id: 'two\nlines' },
    { surprise: 1 },
    { order: { total: '0' } },
    { order: { items: [] } },
  ]);
}

/** @returns a field that takes any text, of most creations */
function textFieldOf(body: object): string {
  if ('name' in body) return 'name';
  if ('event_type' in body) return 'description';
  return 'claim' in body || 'refund_to_address' in body ? 'reason' : 'reference_id';
}

function lower(text: string): string {
  return text.toLowerCase();
}

export const paymentRequestActs: readonly Act[] = [createOne, createRefused, repeatOne, repeatAtOnce];
