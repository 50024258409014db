import type { Random } from '../random.js';
import { assetOf, leastOf, someUnits, textOf, someOrder, someReference } from './amounts.js';
import { atOnce, create, dataOf, keyOf, hex } from './calls.js';
import {
  remember,
  type ShownRequest,
  openRequest,
  refresh,
  sendableBody,
  someRequest,
} from './known-requests.js';
import { memoryOf, type KnownPointOfSale, type KnownRequest, moneyMemoryOf } from './memory.js';
import { somePointOfSale } from './points-of-sale.js';
import {
  act,
  type Act,
  type Credential,
  type Merchant,
  type SimulatedAsset,
  type World,
  type Call,
} from './world.js';
import { pathOf } from './webhooks.js';

const requestsPath = (posId: string) => `/v1/pos/${posId}/payment-request`;

const createOne: Act = act('create a payment request', 12, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random);
  if (pos === undefined) return false;
  await createRequest(world, merchant, random, pos);
});

/** @param asset one of the payment options; any unless it is named @param as one of the merchant's keys unless it is named */
export async function createRequest(
  world: World,
  merchant: Merchant,
  random: Random,
  pos: KnownPointOfSale,
  { asset, as = keyOf(merchant, random) }: { readonly asset?: SimulatedAsset; readonly as?: Credential } = {},
): Promise<KnownRequest | undefined> {
  const body = sendableBody(merchant, as, someBody(world, pos, random, asset));
  const call = { method: 'POST', path: requestsPath(pos.id), body, as } as const;
  const shown = await create<ShownRequest>(world, merchant, random, call);
  return (
    shown && remember(world, merchant, shown, { posId: pos.id, accountId: pos.accountId, way: 'direct' })
  );
}

const createRefused: Act = act(
  'create a payment request as nobody may',
  1,
  async (world, merchant, random) => {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const body = { ...someBody(world, pos, random), ...someMistake(world, pos, random) };
    const foreign = random.oneOf(world.merchants).accounts.flatMap(({ pointsOfSale }) => pointsOfSale)[0];
    const posId = random.chance(0.15) && foreign !== undefined ? foreign.id : pos.id;
    await world.call({ method: 'POST', path: requestsPath(posId), body, as: merchant.credentials[0]! });
  },
);

const repeatOne: Act = act(
  'repeat a creation under its idempotency key',
  2,
  async (world, merchant, random) => {
    const creations = memoryOf(merchant).creations.all();
    if (creations.length === 0) return false;
    const { call } = random.oneOf(creations);
    const body = (call.body ?? {}) as object;
    const changed = { ...body, [textFieldOf(body)]: `changed-${random.whole(1, 9)}` };
    await world.call(random.chance(0.25) ? { ...call, body: changed } : call);
  },
);

const repeatAtOnce: Act = act(
  'create a payment request twice at once',
  2,
  async (world, merchant, random) => {
    const pos = await somePointOfSale(world, merchant, random);
    if (pos === undefined) return false;
    const as = merchant.credentials[0]!;
    const idempotencyKey = `twice-${random.bits()}`;
    const body = someBody(world, pos, random);
    const call = { method: 'POST', path: requestsPath(pos.id), body, as, idempotencyKey } as const;
    const answers = await atOnce(world, call, 2);
    const shown = answers.map((answer) => dataOf<ShownRequest>(answer)).find((one) => one !== undefined);
    const place = { posId: pos.id, accountId: pos.accountId, way: 'direct' } as const;
    if (shown !== undefined) remember(world, merchant, shown, place);
  },
);

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

function textFieldOf(body: object): string {
  if ('name' in body) return 'name';
  if ('event_type' in body) return 'description';
  return 'claim' in body || 'refund_to_address' in body ? 'reason' : 'reference_id';
}

function lower(text: string): string {
  return text.toLowerCase();
}

export const paymentRequestActs: readonly Act[] = [createOne, createRefused, repeatOne, repeatAtOnce];

const STATUSES = [
  ...['pending', 'created', 'processing'],
  ...['completed', 'overpaid', 'underpaid', 'expired', 'failed'],
];

export function requestPath({ posId, id }: KnownRequest): string {
  return `/v1/pos/${posId}/payment-request/${id}`;
}

export async function readRequest<T extends ShownRequest>(
  world: World,
  request: KnownRequest,
  as: Credential,
): Promise<T | undefined> {
  const shown = dataOf<T>(await world.call({ method: 'GET', path: requestPath(request), as }));
  if (shown !== undefined) refresh(world, request, shown);
  return shown;
}

const readOne: Act = act('read a payment request', 8, async (world, merchant, random) => {
  const request = someRequest(merchant, random);
  if (request === undefined) return false;
  await readRequest(world, request, keyOf(merchant, random));
});

const readForeign: Act = act(
  "read another merchant's payment request",
  0.5,
  async (world, merchant, random) => {
    const other = random.oneOf(world.merchants);
    const request = someRequest(other, random);
    if (request === undefined || other.organizationId === merchant.organizationId) return false;
    const own = merchant.accounts.flatMap(({ pointsOfSale }) => pointsOfSale)[0];
    const posId = random.chance(0.5) && own !== undefined ? own.id : request.posId;
    const path = requestPath({ ...request, posId });
    await world.call({ method: 'GET', path, as: merchant.credentials[0]! });
  },
);

const list: Act = act('list payment requests', 3, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random);
  if (pos === undefined) return false;
  const known = someRequest(merchant, random);
  const from = new Date(world.now() - random.whole(1, 72) * 3_600_000).toISOString();
  const query: Record<string, string> = {
    ...(random.chance(0.6) && { page: String(random.whole(1, 3)), page_size: String(random.whole(1, 20)) }),
    ...(random.chance(0.3) && { status: random.oneOf(STATUSES) }),
    ...(random.chance(0.2) && known?.referenceId !== undefined && { reference_id: known.referenceId }),
    ...(random.chance(0.2) && { created_from: from }),
    ...(random.chance(0.1) && { created_to: new Date(world.now()).toISOString() }),
  };
  if (random.chance(0.05)) query[random.oneOf(['page', 'page_size', 'status'])] = '0';
  const path = `/v1/pos/${pos.id}/payment-request`;
  await world.call({ method: 'GET', path, query, as: keyOf(merchant, random) });
});

const expire: Act = act('end a payment request', 1.5, async (world, merchant, random) => {
  const request = random.chance(0.2)
    ? someRequest(merchant, random)
    : await anOpenOne(world, merchant, random);
  if (request === undefined) return false;
  const call = { method: 'POST', path: `${requestPath(request)}/expire` } as const;
  const shown = dataOf<ShownRequest>(await world.call({ ...call, as: keyOf(merchant, random) }));
  if (shown !== undefined) refresh(world, request, shown);
});

async function anOpenOne(
  world: World,
  merchant: Merchant,
  random: Random,
): Promise<KnownRequest | undefined> {
  const known = openRequest(world, merchant, random);
  if (known !== undefined) return known;
  const pos = await somePointOfSale(world, merchant, random);
  return pos && createRequest(world, merchant, random, pos);
}

export const requestReadingActs: readonly Act[] = [readOne, readForeign, list, expire];

export const doubledActs: readonly Act[] = [
  act('repeat a creation at once under its idempotency key', 2, async (world, merchant, random) => {
    const creations = memoryOf(merchant).creations.all();
    if (creations.length === 0) return false;
    const { call } = random.oneOf(creations.slice(-4));
    await atOnce(world, call, 6);
  }),
  act('refund twice at once', 3, async (world, merchant, random) => {
    const { spent } = moneyMemoryOf(merchant);
    const fits = ({ id, payments }: KnownRequest) => payments > 0 && spent.find(id) === undefined;
    const request = someRequest(merchant, random, fits);
    const shown = request && (await readRequest<ShownRequest>(world, request, merchant.credentials[0]!));
    if (shown === undefined || !['completed', 'overpaid', 'underpaid'].includes(shown.status)) return false;
    await atOnce(
      world,
      {
        ...{ method: 'POST', path: `/v1/refunds/payment-request/${shown.id}` },
        body: { refund_to_address: random.oneOf(world.network.strangers) },
        ...{ as: merchant.credentials[0]!, idempotencyKey: `twice-${hex(random, 8)}` },
      },
      2,
    );
  }),
  doubling('rotate a secret twice at once', 0.7, (_world, merchant, random) => {
    const webhooks = memoryOf(merchant).webhooks.all();
    if (webhooks.length === 0) return undefined;
    return { path: pathOf(random.oneOf(webhooks), 'rotate-secret'), body: { overlap_seconds: 60 } };
  }),
  doubling('register a webhook twice at once', 1.5, (world, merchant, random) => {
    const { accountId } = random.oneOf(merchant.accounts);
    const body = { url: world.receivers.open(), event_type: random.oneOf(['payment_request', 'refund']) };
    return { path: `/v1/account/${accountId}/webhook`, body };
  }),
];

function doubling(
  name: string,
  weight: number,
  callOf: (world: World, merchant: Merchant, random: Random) => Pick<Call, 'path' | 'body'> | undefined,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const call = callOf(world, merchant, random);
    if (call === undefined) return false;
    const idempotencyKey = `twice-${hex(random, 8)}`;
    await atOnce(world, { ...call, method: 'POST', as: keyOf(merchant, random), idempotencyKey }, 2);
  });
}
