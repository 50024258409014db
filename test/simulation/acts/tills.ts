import type { Random } from '../random.js';
import { dataOf } from './calls.js';
import { createCheckout } from './checkouts.js';
import { refresh, someRequest, type ShownRequest } from './known-requests.js';
import { memoryOf, type KnownDevice, type KnownRequest } from './memory.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { readRequest, requestPath } from './request-reads.js';
import type { Act, Merchant, World } from './world.js';

/** A cashier makes a request on the phone; it is paid, or the cashier takes it back. */
const take: Act = {
  name: 'take a payment with a phone',
  weight: 6,
  async attempt(world, merchant, random) {
    const { device, request } = await makeWithPhone(world, merchant, random);
    if (device === undefined) return false;
    if (request === undefined) return true;
    if (random.chance(0.2)) await takeBack(world, request, device);
    else await bePaid(world, merchant, random, request, device);
    return true;
  },
};

async function makeWithPhone(
  world: World,
  merchant: Merchant,
  random: Random,
): Promise<{ readonly device?: KnownDevice; readonly request?: KnownRequest | undefined }> {
  const memory = memoryOf(merchant);
  const devices = memory.devices.all().filter(({ isRevoked }) => !isRevoked || random.chance(0.1));
  if (devices.length === 0) return {};
  const device = random.oneOf(devices);
  const pos = memory.pointsOfSale.find(device.posId);
  if (pos === undefined) return {};
  const { credential: as } = device;
  const request = random.chance(0.3)
    ? await createRequest(world, merchant, random, pos, { as })
    : await createCheckout(world, merchant, random, pos, as);
  return { device, request };
}

async function bePaid(
  world: World,
  merchant: Merchant,
  random: Random,
  request: KnownRequest,
  { credential }: KnownDevice,
): Promise<void> {
  const found = await withAddress(world, request, random);
  if (found === undefined) return;
  if (random.chance(0.9)) pay(world, merchant, random, found, { amount: found.selection.amount });
  const look = async () => void (await readRequest(world, request, credential));
  world.later(random.whole(3, 500) * 1_000, look);
}

async function takeBack(world: World, request: KnownRequest, { credential: as }: KnownDevice): Promise<void> {
  const answer = await world.call({ method: 'POST', path: `${requestPath(request)}/expire`, as });
  const shown = dataOf<ShownRequest>(answer);
  if (shown !== undefined) refresh(world, request, shown);
}

/** A phone asks for what it may see, and for what it may not. */
const ask: Act = {
  name: 'ask with a phone',
  weight: 2,
  async attempt(world, merchant, random) {
    const devices = memoryOf(merchant).devices.all();
    if (devices.length === 0) return false;
    const { posId, credential: as } = random.oneOf(devices);
    const other = someRequest(merchant, random, (request) => request.posId !== posId);
    const path = random.oneOf([
      ...[`/v1/pos/${posId}`, `/v1/pos/${posId}/payment-request`, '/v1/assets'],
      ...(other === undefined ? [] : [requestPath(other)]),
      ...['/v1/refunds', '/v1/account'],
    ]);
    await world.call({ method: 'GET', path, as });
    return true;
  },
};

export const tillActs: readonly Act[] = [take, ask];
