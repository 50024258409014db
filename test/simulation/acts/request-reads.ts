import type { Random } from '../random.js';
import { dataOf, keyOf } from './calls.js';
import { openRequest, refresh, someRequest, type ShownRequest } from './known-requests.js';
import type { KnownRequest } from './memory.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import type { Act, Credential, Merchant, World } from './world.js';

const STATUSES = [
  ...['pending', 'created', 'processing'],
  ...['completed', 'overpaid', 'underpaid', 'expired', 'failed'],
];

export function requestPath({ posId, id }: KnownRequest): string {
  return `/v1/pos/${posId}/payment-request/${id}`;
}

/** Reads it as its merchant does. @returns what was answered, where it was */
export async function readRequest<T extends ShownRequest>(
  world: World,
  request: KnownRequest,
  as: Credential,
): Promise<T | undefined> {
  const shown = dataOf<T>(await world.call({ method: 'GET', path: requestPath(request), as }));
  if (shown !== undefined) refresh(world, request, shown);
  return shown;
}

const readOne: Act = {
  name: 'read a payment request',
  weight: 8,
  async attempt(world, merchant, random) {
    const request = someRequest(merchant, random);
    if (request === undefined) return false;
    await readRequest(world, request, keyOf(merchant, random));
    return true;
  },
};

const readForeign: Act = {
  name: "read another merchant's payment request",
  weight: 0.5,
  async attempt(world, merchant, random) {
    const other = random.oneOf(world.merchants);
    const request = someRequest(other, random);
    if (request === undefined || other.organizationId === merchant.organizationId) return false;
    const own = merchant.accounts.flatMap(({ pointsOfSale }) => pointsOfSale)[0];
    const posId = random.chance(0.5) && own !== undefined ? own.id : request.posId;
    const path = requestPath({ ...request, posId });
    await world.call({ method: 'GET', path, as: merchant.credentials[0]! });
    return true;
  },
};

const list: Act = {
  name: 'list payment requests',
  weight: 3,
  async attempt(world, merchant, random) {
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
    return true;
  },
};

const expire: Act = {
  name: 'end a payment request',
  weight: 1.5,
  async attempt(world, merchant, random) {
    const request = random.chance(0.2)
      ? someRequest(merchant, random)
      : await anOpenOne(world, merchant, random);
    if (request === undefined) return false;
    const call = { method: 'POST', path: `${requestPath(request)}/expire` } as const;
    const shown = dataOf<ShownRequest>(await world.call({ ...call, as: keyOf(merchant, random) }));
    if (shown !== undefined) refresh(world, request, shown);
    return true;
  },
};

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
