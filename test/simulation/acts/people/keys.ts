import type { Random } from '../../random.js';
import { hex, hasStatus, isUnknown, locationIn } from '../calls.js';
import { moneyMemoryOf, type KnownKey } from '../memory.js';
import type { Merchant, World } from '../world.js';
import type { Desk } from './desk.js';

export type Role = 'read' | 'write';

export interface NewKey {
  readonly name: string;
  readonly accountId?: string;
  readonly roles: readonly Role[];
  readonly allowedIps: readonly string[];
}

/** Calls that were sent before have their answers by then. */
export const FREE_AFTER_MS = 20 * 60_000;
/** Callers come from 10.0.0.1 unless an act says otherwise: most lists hold it. */
const LISTS = [
  [],
  [],
  ['10.0.0.1'],
  ['10.0.0.0/8', '2001:db8::/32'],
  ['10.0.0.1/32', '192.0.2.7'],
  ['192.0.2.0/24'],
];

export function someKey(merchant: Merchant, random: Random): NewKey {
  const name = `key ${hex(random, 3)}`;
  const isOfAccount = random.chance(0.3);
  return {
    name,
    ...(isOfAccount && { accountId: random.oneOf(merchant.accounts).accountId }),
    roles: someRoles(random),
    allowedIps: random.oneOf(LISTS),
  };
}

export function someRoles(random: Random): readonly Role[] {
  return random.oneOf([['read', 'write'], ['read', 'write'], ['read'], ['write']] as const);
}

export function someList(random: Random): readonly string[] {
  return random.oneOf(LISTS);
}

export function createdKey(
  told: Awaited<ReturnType<World['operator']>>,
  key: NewKey & Pick<KnownKey, 'isBusy'>,
): KnownKey | undefined {
  if ('failed' in told) return undefined;
  const { id, api_key: keyId, api_secret: secret } = told.printed as Record<string, string>;
  return { ...key, id: id!, credential: { keyId: keyId!, secret: secret! }, isEnabled: true, isGone: false };
}

export function learn(world: World, merchant: Merchant, key: KnownKey): void {
  moneyMemoryOf(merchant).keys.put(key);
  tell(world, merchant, key);
}

/**
 * Writes down what a key may do now. The merchant's software uses those keys of the organization that have both roles from any
 * address; acts that expect a refusal use the others.
 */
export function tell(world: World, merchant: Merchant, key: KnownKey): void {
  const { credential, accountId, roles, allowedIps, isEnabled, isGone } = key;
  world.note({
    ...{ kind: 'credential', at: world.now(), keyId: credential.keyId },
    organizationId: merchant.organizationId,
    ...(accountId !== undefined && { accountId }),
    ...{ roles, allowedIps, isEnabled, isGone },
  });
  const isFull = accountId === undefined && roles.length === 2 && allowedIps.length === 0;
  if (!isFull || !isEnabled || isGone) return;
  delete key.withdrawnAt;
  if (!isUsed(merchant, key)) merchant.credentials.push(credential);
}

export function changeable(merchant: Merchant): KnownKey[] {
  return moneyMemoryOf(merchant)
    .keys.all()
    .filter(({ isGone, isBusy }) => !isGone && isBusy !== true);
}

/**
 * Does something with a key that nobody else uses meanwhile: whether a call was judged before or after a change could not be
 * told. A key that the merchant's software uses is withdrawn from it, and free some minutes later.
 * @returns false while it is in use
 */
export async function alone(
  world: World,
  merchant: Merchant,
  key: KnownKey,
  act: () => Promise<void>,
): Promise<boolean> {
  if (key.isBusy) return false;
  if (isUsed(merchant, key)) {
    key.withdrawnAt = world.now();
    withdraw(merchant, key);
  }
  if (world.now() - (key.withdrawnAt ?? -Infinity) < FREE_AFTER_MS) return false;
  key.isBusy = true;
  try {
    await act();
  } finally {
    key.isBusy = false;
  }
  return true;
}

/** Puts back what is unknown: nobody uses a key again of which it is not known what it may do. */
export function forget(merchant: Merchant, key: KnownKey): void {
  moneyMemoryOf(merchant).keys.take(key.id);
  withdraw(merchant, key);
}

function isUsed({ credentials }: Merchant, { credential }: KnownKey): boolean {
  return credentials.some(({ keyId }) => keyId === credential.keyId);
}

function withdraw({ credentials }: Merchant, { credential }: KnownKey): void {
  const at = credentials.findIndex(({ keyId }) => keyId === credential.keyId);
  if (at >= 0) credentials.splice(at, 1);
}

export type KeyForm = (world: World, merchant: Merchant, desk: Desk, random: Random) => Promise<boolean>;

export const createKey: KeyForm = async (world, merchant, desk, random) => {
  const key = someKey(merchant, random);
  const answer = await desk.prove('/app/api-keys', {
    ...{ name: key.name, account_id: key.accountId ?? '' },
    ...ticks(key.roles),
    allowed_ips: key.allowedIps.join('\n'),
  });
  if (answer === undefined) return false;
  const page = await desk.shown(answer);
  const id = /^\/app\/api-keys\/([0-9a-f-]{36})\/secret/.exec(locationIn(answer) ?? '')?.[1];
  const keyId = /id="key-id"[^>]*>([^<]+)</.exec(page)?.[1];
  const secret = /id="key-secret"[^>]*>([^<]+)</.exec(page)?.[1];
  if (id === undefined || keyId === undefined || secret === undefined) return true;
  learn(world, merchant, { ...key, id, credential: { keyId, secret }, isEnabled: true, isGone: false });
  return true;
};

export const changeRoles = changing(async (world, merchant, desk, key, random) => {
  const roles = someRoles(random);
  const answer = await desk.set(pathOf(key), { name: key.name, ...ticks(roles) });
  settle(world, merchant, key, answer, () => (key.roles = roles));
});

export const changeList = changing(async (world, merchant, desk, key, random) => {
  const allowedIps = someList(random);
  const form = { allowed_ips: allowedIps.join('\n'), without_own: 'on' };
  const answer = await desk.set(`${pathOf(key)}/allowed-ips`, form);
  settle(world, merchant, key, answer, () => (key.allowedIps = allowedIps));
});

export const disableKey = changing(async (world, merchant, desk, key) => {
  const answer = await desk.set(`${pathOf(key)}/disable`);
  settle(world, merchant, key, answer, () => (key.isEnabled = false));
});

export const enableKey = changing(async (world, merchant, desk, key) => {
  const answer = await desk.set(`${pathOf(key)}/enable`);
  settle(world, merchant, key, answer, () => (key.isEnabled = true));
});

export const deleteKey = changing(async (world, merchant, desk, key) => {
  const answer = await desk.set(`${pathOf(key)}/delete`, { confirmation: key.name });
  // Where the first answer was lost the second is 404.
  if (hasStatus(answer, 404)) return forget(merchant, key);
  settle(world, merchant, key, answer, () => (key.isGone = true));
});

function changing(
  change: (world: World, merchant: Merchant, desk: Desk, key: KnownKey, random: Random) => Promise<void>,
): KeyForm {
  return async (world, merchant, desk, random) => {
    const keys = changeable(merchant);
    if (keys.length === 0) return false;
    const key = random.oneOf(keys);
    return alone(world, merchant, key, () => change(world, merchant, desk, key, random));
  };
}

function settle(
  world: World,
  merchant: Merchant,
  key: KnownKey,
  answer: Awaited<ReturnType<Desk['set']>>,
  change: () => void,
): void {
  if (isUnknown(answer)) return forget(merchant, key);
  if (locationIn(answer)?.startsWith(pathOf(key)) !== true && locationIn(answer) !== '/app/api-keys') return;
  change();
  tell(world, merchant, key);
}

function pathOf({ id }: KnownKey): string {
  return `/app/api-keys/${id}`;
}

function ticks(roles: NewKey['roles']): Readonly<Record<string, string>> {
  return Object.fromEntries(roles.map((role) => [role, 'on']));
}
