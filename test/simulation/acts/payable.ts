import type { Random } from '../random.js';
import { assetOf } from './amounts.js';
import { createCheckout, isSession, readSession, selectAsset } from './checkouts.js';
import { openRequest } from './known-requests.js';
import { memoryOf, selectionOf, type KnownRequest, type Selection } from './memory.js';
import { createRequest, readRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Merchant, Payment, SimulatedAsset, World } from './world.js';

export interface Payable {
  readonly request: KnownRequest;
  readonly selection: Selection;
  readonly asset: SimulatedAsset;
}

interface Wish {
  /** The asset; any unless it is said. */
  readonly wanted?: (asset: SimulatedAsset) => boolean;
  readonly hasSession?: boolean;
}

/** Something to pay that nobody has paid yet, which is created mostly: windows are short. */
export async function payable(
  world: World,
  merchant: Merchant,
  random: Random,
  { wanted = () => true, hasSession = random.chance(0.5) }: Wish = {},
): Promise<Payable | undefined> {
  const isFresh = (request: KnownRequest) => request.payments === 0 && (!hasSession || isSession(request));
  const known = random.chance(0.5) ? openRequest(world, merchant, random, isFresh) : undefined;
  const shown = known && (await withAddress(world, known, random, wanted));
  if (shown !== undefined) return shown;
  const pos = await somePointOfSale(world, merchant, random);
  const options = pos?.config.payment_options.map((option) => assetOf(world, option)).filter(wanted) ?? [];
  if (pos === undefined || options.length === 0) return undefined;
  const made = hasSession
    ? await createCheckout(world, merchant, random, pos)
    : await createRequest(world, merchant, random, pos, { asset: random.oneOf(options) });
  return made && withAddress(world, made, random, wanted);
}

/** The payer sees the address, after an asset was selected where none is yet: another one, where the first has no price now. */
export async function withAddress(
  world: World,
  request: KnownRequest,
  random: Random,
  wanted: (asset: SimulatedAsset) => boolean = () => true,
): Promise<Payable | undefined> {
  const options = request.options.filter((option) => wanted(assetOf(world, option)));
  for (const option of random.shuffled(options).slice(0, 2))
    if (selectionOf(request) === undefined && isSession(request)) await selectAsset(world, request, option);
  const selection = selectionOf(request);
  if (selection === undefined) return undefined;
  const asset = assetOf(world, selection.uniqueAssetId);
  return wanted(asset) ? { request, selection, asset } : undefined;
}

export function pay(
  world: World,
  merchant: Merchant,
  random: Random,
  { request, selection, asset }: Payable,
  payment: Pick<Payment, 'amount'> & Partial<Payment>,
): void {
  const payer = random.whole(0, Math.max(0, world.network.payerKeys.length - 1));
  const id = world.network.pay({ to: selection.address, token: asset.token, payer, ...payment });
  request.payments += 1;
  memoryOf(merchant).transactions.put({ id });
  if (random.chance(0.4))
    world.later(random.whole(20, 600) * 1_000, () => look(world, merchant, random, request));
}

async function look(world: World, merchant: Merchant, random: Random, request: KnownRequest): Promise<void> {
  if (isSession(request) && random.chance(0.4)) await readSession(world, request);
  else await readRequest(world, request, merchant.credentials[0]!);
}
