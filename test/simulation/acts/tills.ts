import type { Random } from '../random.js';
import { dataOf } from './calls.js';
import { createCheckout } from './checkouts.js';
import { refresh, someRequest, type ShownRequest } from './known-requests.js';
import { memoryOf, type KnownDevice, type KnownRequest } from './memory.js';
import { pay, withAddress } from './payable.js';
import { createRequest } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
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

/** Two cashiers: the sale that comes second ends the window of the first. */
const takeTwo: Act = {
  name: 'make two sales at one till at once',
  weight: 2,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random, 'physical');
    if (pos === undefined) return false;
    const sell = (own: Random) =>
      own.chance(0.5)
        ? createRequest(world, merchant, own, pos)
        : createCheckout(world, merchant, own, pos, merchant.credentials[0]!);
    const made: (KnownRequest | undefined)[] = [];
    for (let times = random.whole(1, 3); times > 0; times -= 1)
      made.push(...(await Promise.all([sell(random.branch()), sell(random.branch())])));
    world.later(random.whole(70, 300) * 1_000, async () => {
      for (const request of made) if (request) await readRequest(world, request, merchant.credentials[0]!);
    });
    return true;
  },
};

/** A phone asks for what it may see, and for what it may not. */
const ask: Act = {
  name: 'ask with a phone',
  weight: 3,
  async attempt(world, merchant, random) {
    const devices = memoryOf(merchant).devices.all();
    if (devices.length === 0) return false;
    await askWith(world, merchant, random, random.oneOf(devices));
    return true;
  },
};

export async function askWith(
  world: World,
  merchant: Merchant,
  random: Random,
  { posId, credential: as }: KnownDevice,
): Promise<void> {
  const other = someRequest(merchant, random, (request) => request.posId !== posId);
  const paths = [
    `/v1/pos/${posId}`,
    `/v1/pos/${posId}/payment-request`,
    '/v1/assets',
    '/v1/refunds',
    '/v1/account',
  ];
  await world.call({ method: 'GET', path: random.oneOf(paths), as });
  if (other !== undefined) await world.call({ method: 'GET', path: requestPath(other), as });
  const own = memoryOf(merchant).pointsOfSale.find(posId);
  if (own === undefined || random.chance(0.5)) return;
  const { name, config } = own;
  await world.call({ method: 'PUT', path: `/v1/pos/${posId}`, body: { name, config }, as });
}

export const tillActs: readonly Act[] = [take, takeTwo, ask];
