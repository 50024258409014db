import type { Random } from '../random.js';
import { MINUTE_MS } from './answers.js';
import { hex } from './calls.js';
import type { KnownKey } from './money-memory.js';
import { createdKey, forget, learn, tell } from './people/keys.js';
import type { Act, Merchant, World } from './world.js';

const HERE = '10.0.0.1';
const ELSEWHERE = '192.0.2.7';

/** A key that may only read, from its creation to its end: it is used before and after each change, with one token. */
export const keyLifeActs: readonly Act[] = [
  {
    name: 'make a key, open it to all addresses and disable it',
    weight: 1.5,
    async attempt(world, merchant, random) {
      const key = await make(world, merchant, random);
      if (key === undefined) return true;
      await use(world, key, HERE);
      await use(world, key, ELSEWHERE);
      const opened = { allowedIps: [] };
      if (!(await change(world, merchant, key, ['change', '--allowed-ips', ''], opened))) return true;
      await use(world, key, ELSEWHERE);
      // What was refused after a change is excused by the next one for some minutes.
      world.later(random.whole(4, 40) * MINUTE_MS, async () => {
        await use(world, key, HERE);
        if (!(await change(world, merchant, key, ['disable'], { isEnabled: false }))) return;
        for (let times = 3; times > 0; times -= 1) await use(world, key, HERE);
      });
      return true;
    },
  },
];

async function make(world: World, merchant: Merchant, random: Random): Promise<KnownKey | undefined> {
  const name = `reader ${hex(random, 3)}`;
  const told = await world.operator(
    ...['credential', 'create', '--organization', merchant.organizationId, '--name', name],
    ...['--roles', 'read', '--allowed-ips', HERE],
  );
  // No other act changes it.
  const key = createdKey(told, { name, roles: ['read'], allowedIps: [HERE], isBusy: true });
  if (key !== undefined) learn(world, merchant, key);
  return key;
}

/** @returns false where it is not known whether the command was carried out: then nobody uses the key any more */
async function change(
  world: World,
  merchant: Merchant,
  key: KnownKey,
  [command, ...words]: readonly [string, ...string[]],
  becomes: Partial<KnownKey>,
): Promise<boolean> {
  const run = () => world.operator('credential', command, key.credential.keyId, ...words);
  let told = await run();
  if ('failed' in told) told = await run();
  if ('failed' in told) {
    forget(merchant, key);
    return false;
  }
  Object.assign(key, becomes);
  tell(world, merchant, key);
  return true;
}

async function use(world: World, { credential: as }: KnownKey, from: string): Promise<void> {
  await world.call({ method: 'GET', path: '/v1/assets', as, from });
}
