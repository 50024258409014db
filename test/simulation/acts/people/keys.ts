import type { Random } from '../../random.js';
import { hex } from '../calls.js';
import { moneyMemoryOf, type KnownKey } from '../money-memory.js';
import type { Merchant, World } from '../world.js';

export type Role = 'read' | 'write';

/** A credential that is to be created. */
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

/** @returns the credential that a command has created, unless it failed */
export function createdKey(
  told: Awaited<ReturnType<World['operator']>>,
  key: NewKey & Pick<KnownKey, 'isBusy'>,
): KnownKey | undefined {
  if ('failed' in told) return undefined;
  const { id, api_key: keyId, api_secret: secret } = told.printed as Record<string, string>;
  return { ...key, id: id!, credential: { keyId: keyId!, secret: secret! }, isEnabled: true, isGone: false };
}

/** Takes a created credential into use, and says so. */
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

/** @returns the keys that may be changed */
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
