import type { Random } from '../../random.js';
import { hasStatus, isUnknown, locationIn } from '../answers.js';
import type { KnownKey } from '../money-memory.js';
import type { Merchant, World } from '../world.js';
import type { Desk } from './desk.js';
import { alone, changeable, forget, learn, someKey, someList, someRoles, tell, type NewKey } from './keys.js';

/** Something that an Owner does with keys. @returns false where there is none to do it with */
export type KeyForm = (world: World, merchant: Merchant, desk: Desk, random: Random) => Promise<boolean>;

/** Creates a key, whose secret the next page shows this once. */
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
