import type { Random } from '../random.js';
import { assetOf, unitsOf } from './amounts.js';
import { isOpen, memoryOf, type KnownRequest, type Selection } from './memory.js';
import type { Credential, Merchant, World } from './world.js';

export interface ShownRequest {
  readonly id: string;
  readonly status: string;
  readonly expires_at: string;
  readonly amount: string;
  readonly unique_asset_id?: string;
  readonly address?: string;
  readonly token?: string;
  readonly session_id?: string;
  readonly reference_id?: string;
  readonly payment_options?: readonly { readonly unique_asset_id: string; readonly amount?: string }[];
  readonly selected?: { readonly unique_asset_id: string; readonly address: string; readonly amount: string };
}

export function remember(
  world: World,
  merchant: Merchant,
  shown: ShownRequest,
  place: Pick<KnownRequest, 'posId' | 'accountId' | 'way'>,
): KnownRequest {
  const { requests } = memoryOf(merchant);
  const known = requests.find(shown.id);
  if (known !== undefined) return refresh(world, known, shown);
  const options = shown.payment_options?.filter(({ amount }) => amount !== undefined) ?? [];
  const request: KnownRequest = {
    ...place,
    id: shown.id,
    createdAt: world.now(),
    sessionId: shown.session_id,
    referenceId: shown.reference_id,
    token: shown.token,
    options: options.map(({ unique_asset_id }) => unique_asset_id),
    selections: [],
    expiresAt: 0,
    status: shown.status,
    payments: 0,
  };
  return requests.put(refresh(world, request, shown));
}

export function refresh(world: World, request: KnownRequest, shown: ShownRequest): KnownRequest {
  request.status = shown.status;
  request.expiresAt = Date.parse(shown.expires_at);
  const selection = selectionIn(world, shown);
  if (selection === undefined) return request;
  const others = request.selections.filter(({ address }) => address !== selection.address);
  request.selections = [...others, selection];
  return request;
}

export function someRequest(
  merchant: Merchant,
  random: Random,
  fits: (request: KnownRequest) => boolean = () => true,
): KnownRequest | undefined {
  const fitting = memoryOf(merchant).requests.all().filter(fits);
  if (fitting.length === 0) return undefined;
  return random.oneOf(random.chance(0.6) ? fitting.slice(-5) : fitting);
}

export function openRequest(
  world: World,
  merchant: Merchant,
  random: Random,
  fits: (request: KnownRequest) => boolean = () => true,
): KnownRequest | undefined {
  return someRequest(merchant, random, (one) => isOpen(one, world.now()) && fits(one));
}

function selectionIn(world: World, shown: ShownRequest): Selection | undefined {
  const { selected, unique_asset_id: uniqueAssetId, address, amount } = shown;
  if (selected !== undefined)
    return selectionOf(world, selected.unique_asset_id, selected.address, selected.amount);
  if (uniqueAssetId === undefined || address === undefined) return undefined;
  return selectionOf(world, uniqueAssetId, address, amount);
}

function selectionOf(world: World, uniqueAssetId: string, address: string, amount: string): Selection {
  return { uniqueAssetId, address, amount: unitsOf(amount, assetOf(world, uniqueAssetId).decimals) };
}

interface RequestBody {
  readonly order?: { readonly items?: unknown };
  readonly return_url?: string;
}

/** A paired device can send only the price, a reference and items. */
export function sendableBody(merchant: Merchant, as: Credential, body: RequestBody): object {
  if (
    !memoryOf(merchant)
      .devices.all()
      .some(({ credential }) => credential === as)
  )
    return body;
  const { order, return_url: _, ...rest } = body;
  return { ...rest, ...(order?.items !== undefined && { order: { items: order.items } }) };
}
