import type { Random } from '../random.js';
import { hasStatus, locationIn } from './answers.js';
import { dataOf, hex } from './calls.js';
import { memoryOf, type KnownDevice } from './memory.js';
import { Desk } from './people/desk.js';
import { somePointOfSale } from './points-of-sale.js';
import { askWith } from './tills.js';
import type { Act, Merchant, World } from './world.js';

interface Paired {
  readonly api_key: string;
  readonly api_secret: string;
  readonly point_of_sale_id: string;
}

/** The owner shows a code in the dashboard, and a phone sends it. */
const pair: Act = {
  name: 'pair a phone',
  weight: 3,
  async attempt(world, merchant, random) {
    const pos = await somePointOfSale(world, merchant, random, 'physical');
    const desk = pos && (await Desk.open(world, merchant));
    if (desk === undefined) return false;
    const code = await pairingCode(world, desk, pos!.id);
    if (code === undefined) return true;
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
    return true;
  },
};

/** @returns the code that the page of a till shows */
export async function pairingCode(world: World, desk: Desk, posId: string): Promise<string | undefined> {
  const page = await desk.shown(await desk.set('/app/till', { point_of_sale_id: posId }));
  const code = /id="pairing-code"[^>]*>([0-9A-Z]{8})</.exec(page)?.[1];
  if (code !== undefined) world.note({ kind: 'pairing', at: world.now(), posId, code });
  return code;
}

/** @returns the paired phone, if it was answered */
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

/** Writes down what a phone may do now. */
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

const wrongCode: Act = {
  name: 'pair a phone by a code that there is not',
  weight: 1,
  async attempt(world, _merchant, random) {
    const code = Array.from({ length: 8 }, () => random.oneOf([...'23456789ABCDEFGHJKMNPQRSTUVWXYZ'])).join(
      '',
    );
    const body = { code, device_name: 'Phone of nobody' };
    await world.call({ method: 'POST', path: '/public/till/pairing', body });
    return true;
  },
};

const revoke: Act = {
  name: 'revoke a phone',
  weight: 1,
  attempt: revokeOne,
};

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
