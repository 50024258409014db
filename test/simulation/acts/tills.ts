import type { Random } from '../random.js';
import { dataOf, type Answer, hasStatus, locationIn, hex } from './calls.js';
import { createCheckout } from './checkouts.js';
import { refresh, someRequest, type ShownRequest, remember } from './known-requests.js';
import { memoryOf, type KnownDevice, type KnownRequest, type KnownPointOfSale } from './memory.js';
import { pay, withAddress } from './payable.js';
import { createRequest, readRequest, requestPath } from './payment-requests.js';
import { somePointOfSale } from './points-of-sale.js';
import { act, type Act, type Merchant, type World } from './world.js';
import { somePrice } from './amounts.js';
import { Desk } from './people/desk.js';

const take: Act = act('take a payment with a phone', 6, async (world, merchant, random) => {
  const { device, request } = await makeWithPhone(world, merchant, random);
  if (device === undefined) return false;
  if (request === undefined) return;
  if (random.chance(0.2)) await takeBack(world, request, device);
  else await bePaid(world, merchant, random, request, device);
});

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

const takeTwo: Act = act('make two sales at one till at once', 2, async (world, merchant, random) => {
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
});

const ask: Act = act('ask with a phone', 3, async (world, merchant, random) => {
  const devices = memoryOf(merchant).devices.all();
  if (devices.length === 0) return false;
  await askWith(world, merchant, random, random.oneOf(devices));
});

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

interface Coded extends KnownPointOfSale {
  readonly code: string;
}

async function someCode(world: World, merchant: Merchant, random: Random): Promise<Coded | undefined> {
  const pos = await somePointOfSale(world, merchant, random, 'physical');
  return pos?.code === undefined ? undefined : { ...pos, code: pos.code };
}

const readCode: Act = act('read the code of a till', 3, async (world, merchant, random) => {
  const pos = await someCode(world, merchant, random);
  if (pos === undefined) return false;
  if (random.chance(0.6)) await createRequest(world, merchant, random, pos);
  const path = `/public/pos/${random.chance(0.05) ? pos.code.slice(1) : pos.code}`;
  const shown = shownIn(await world.call({ method: 'GET', path }));
  const known = shown && memoryOf(merchant).requests.find(shown.id);
  if (known !== undefined) refresh(world, known, shown!);
});

const followCode: Act = act(
  'follow the code of a till as a wallet or browser',
  1,
  async (world, merchant, random) => {
    const pos = await someCode(world, merchant, random);
    if (pos === undefined) return false;
    const option = random.oneOf(pos.config.payment_options);
    const query: Record<string, string> = random.chance(0.4) ? { payment_option: option } : {};
    const headers = { accept: random.chance(0.3) ? 'text/html' : 'application/json' };
    await world.call({ method: 'GET', path: `/pos/${pos.code}`, query, headers });
  },
);

const typeAmount: Act = act('type an amount at a till', 5, async (world, merchant, random) => {
  const pos = await someCode(world, merchant, random);
  if (pos === undefined) return false;
  const typed = await type(world, merchant, random, pos, someRequest(merchant, random, isTyped(pos)));
  // Somebody else reads the code meanwhile.
  if (random.chance(0.5)) await world.call({ method: 'GET', path: `/public/pos/${pos.code}` });
  const found = typed && (await withAddress(world, typed, random));
  if (found === undefined) return;
  if (random.chance(0.6)) pay(world, merchant, random, found, { amount: found.selection.amount });
  else await type(world, merchant, random, pos, typed);
});

/** @param before the payer's own session, which the new one may replace */
async function type(
  world: World,
  merchant: Merchant,
  random: Random,
  { id, code, accountId, config }: Coded,
  before: KnownRequest | undefined,
): Promise<KnownRequest | undefined> {
  const asset = world.network.assets.find(({ uniqueAssetId }) => uniqueAssetId === config.payment_options[0]);
  const coin_code = config.till?.coin_code ?? (random.chance(0.95) ? asset!.symbol : 'USD');
  const replaces = before?.sessionId !== undefined && random.chance(0.7) && { replaces: before.sessionId };
  const body = { amount: somePrice(random), coin_code, ...replaces };
  const shown = shownIn(await world.call({ method: 'POST', path: `/public/pos/${code}`, body }));
  return shown && remember(world, merchant, shown, { posId: id, accountId, way: 'typed' });
}

function isTyped({ id }: KnownPointOfSale): (request: KnownRequest) => boolean {
  return ({ way, posId }) => way === 'typed' && posId === id;
}

function shownIn(answer: Answer): ShownRequest | undefined {
  const session = dataOf<{ checkout_session: Partial<ShownRequest> }>(answer)?.checkout_session;
  return session?.id === undefined ? undefined : (session as ShownRequest);
}

export const tillCodeActs: readonly Act[] = [readCode, followCode, typeAmount];

interface Paired {
  readonly api_key: string;
  readonly api_secret: string;
  readonly point_of_sale_id: string;
}

const pair: Act = act('pair a phone', 3, async (world, merchant, random) => {
  const pos = await somePointOfSale(world, merchant, random, 'physical');
  const desk = pos && (await Desk.open(world, merchant));
  if (desk === undefined) return false;
  const code = await pairingCode(world, desk, pos!.id);
  if (code === undefined) return;
  // Some are too late: a code works for ten minutes.
  const pairing = async () => {
    const typed = random.chance(0.2) ? code.toLowerCase() : code;
    const device = await sendCode(world, merchant, random, typed);
    if (device !== undefined && random.chance(0.5)) await askWith(world, merchant, random, device);
  };
  if (random.chance(0.7)) await pairing();
  else world.later(random.whole(60, 1_500) * 1_000, pairing);
  // The owner is still at the dashboard.
  const revoking = async () => void (await revokeOne(world, merchant, random));
  if (random.chance(0.3)) world.later(random.whole(180, 2_400) * 1_000, revoking);
});

export async function pairingCode(world: World, desk: Desk, posId: string): Promise<string | undefined> {
  const page = await desk.shown(await desk.set('/app/till', { point_of_sale_id: posId }));
  const code = /id="pairing-code"[^>]*>([0-9A-Z]{8})</.exec(page)?.[1];
  if (code !== undefined) world.note({ kind: 'pairing', at: world.now(), posId, code });
  return code;
}

export async function sendCode(
  world: World,
  merchant: Merchant,
  random: Random,
  code: string,
): Promise<KnownDevice | undefined> {
  const body = { code, device_name: `Phone ${hex(random, 2)}` };
  const call = { method: 'POST', path: '/public/till/pairing', body } as const;
  const paired = dataOf<Paired>(await world.call(call));
  if (random.chance(0.5)) await world.call(call);
  if (paired === undefined) return undefined;
  const { api_key: keyId, api_secret: secret, point_of_sale_id: posId } = paired;
  const device = { id: keyId, posId, credential: { keyId, secret }, isRevoked: false };
  memoryOf(merchant).devices.put(device);
  tellDevice(world, merchant, device);
  return device;
}

export function tellDevice(
  world: World,
  merchant: Merchant,
  { id: keyId, posId, isRevoked }: KnownDevice,
): void {
  world.note({
    ...{ kind: 'credential', at: world.now(), keyId, organizationId: merchant.organizationId },
    ...{ pointOfSaleId: posId, roles: ['read', 'write'], allowedIps: [] },
    ...{ isEnabled: !isRevoked, isGone: isRevoked },
  });
}

const wrongCode: Act = act(
  'pair a phone by a code that there is not',
  1,
  async (world, _merchant, random) => {
    const code = Array.from({ length: 8 }, () => random.oneOf([...'23456789ABCDEFGHJKMNPQRSTUVWXYZ'])).join(
      '',
    );
    const body = { code, device_name: 'Phone of nobody' };
    await world.call({ method: 'POST', path: '/public/till/pairing', body });
  },
);

const revoke: Act = act('revoke a phone', 1, revokeOne);

async function revokeOne(world: World, merchant: Merchant, random: Random): Promise<boolean> {
  const { devices } = memoryOf(merchant);
  const paired = devices.all().filter(({ isRevoked }) => !isRevoked);
  const desk = paired.length === 0 ? undefined : await Desk.open(world, merchant);
  if (desk === undefined) return false;
  const device = random.oneOf(paired);
  const id = device.id.slice(device.id.lastIndexOf('.') + 1);
  const answer = await desk.post(`/app/points-of-sale/${device.posId}/tills/${id}/revoke`);
  // Somebody else has revoked it where it is not found. Where the answer was lost nobody uses it any more.
  if (locationIn(answer)?.startsWith('/app/points-of-sale/') === true || hasStatus(answer, 404)) {
    device.isRevoked = true;
    tellDevice(world, merchant, device);
  } else devices.take(device.id);
  return true;
}

export const tillPhoneActs: readonly Act[] = [pair, wrongCode, revoke];
