import type { Random } from '../random.js';
import { hasStatus, repeat } from './answers.js';
import { create, dataOf, hex, keyOf } from './calls.js';
import { memoryOf } from './memory.js';
import { moneyMemoryOf } from './money-memory.js';
import { tell } from './people/keys.js';
import { tellDevice } from './till-phones.js';
import type { Account, Act, Merchant, World } from './world.js';

/** More would only share the same payments among them. */
export const MOST_ACCOUNTS = 4;

export const accountActs: readonly Act[] = [
  {
    name: 'create an account',
    weight: 0.22,
    async attempt(world, merchant, random) {
      if (merchant.accounts.length >= MOST_ACCOUNTS) return false;
      await foundAccount(world, merchant, random);
      return true;
    },
  },
  naming('change an account', 0.45, async (world, merchant, { accountId }, random) => {
    const call = { method: 'PUT', path: `/v1/account/${accountId}`, body: describedBy(random) } as const;
    await repeat(world, { ...call, as: keyOf(merchant, random) });
  }),
  {
    name: 'delete an account',
    weight: 0.18,
    async attempt(world, merchant, random) {
      // What stands in the way is seldom gone: some delete what they have just created.
      if (merchant.accounts.length < MOST_ACCOUNTS && random.chance(0.5))
        await foundAccount(world, merchant, random);
      if (merchant.accounts.length < 2 && random.chance(0.9)) return false;
      // Newer accounts have less that stands in the way.
      const account = random.chance(0.7) ? merchant.accounts.at(-1)! : random.oneOf(merchant.accounts);
      await closeAccount(world, merchant, random, account);
      return true;
    },
  },
  naming('read an account', 0.45, async (world, merchant, { accountId }, random) => {
    await world.call({ method: 'GET', path: `/v1/account/${accountId}`, as: keyOf(merchant, random) });
  }),
  naming('read where the money of an account goes', 0.38, async (world, merchant, { accountId }, random) => {
    const path = `/v1/account/${accountId}/settlement-addresses`;
    await world.call({ method: 'GET', path, as: keyOf(merchant, random) });
  }),
  {
    name: 'list accounts',
    weight: 0.38,
    async attempt(world, merchant, random) {
      const answer = await world.call({ method: 'GET', path: '/v1/account', as: keyOf(merchant, random) });
      // A creation whose answer was lost is found here.
      const found = dataOf<{ data: readonly { id: string }[] }>(answer)?.data ?? [];
      for (const { id } of found.filter(
        (one) => !merchant.accounts.some(({ accountId }) => accountId === one.id),
      ))
        if (merchant.accounts.length < MOST_ACCOUNTS) take(world, merchant, id);
      return true;
    },
  },
];

/** @returns the new account, if its creation was answered */
export async function foundAccount(
  world: World,
  merchant: Merchant,
  random: Random,
): Promise<Account | undefined> {
  const call = { method: 'POST', path: '/v1/account', body: describedBy(random) } as const;
  const as = keyOf(merchant, random);
  const made = await create<{ id: string }>(world, merchant, random, { ...call, as });
  return made && take(world, merchant, made.id);
}

function take(world: World, merchant: Merchant, accountId: string): Account {
  const known = merchant.accounts.find((account) => account.accountId === accountId);
  if (known !== undefined) return known;
  const account: Account = { accountId, pointsOfSale: [] };
  merchant.accounts.push(account);
  const { organizationId } = merchant;
  world.note({ kind: 'organization', at: world.now(), organizationId, accountId });
  return account;
}

function naming(
  name: string,
  weight: number,
  act: (world: World, merchant: Merchant, account: Account, random: Random) => Promise<void>,
): Act {
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
      await act(world, merchant, random.oneOf(merchant.accounts), random);
      return true;
    },
  };
}

export async function closeAccount(
  world: World,
  merchant: Merchant,
  random: Random,
  account: Account,
): Promise<void> {
  const call = { method: 'DELETE', path: `/v1/account/${account.accountId}` } as const;
  const answer = await repeat(world, { ...call, as: keyOf(merchant, random) });
  // Where the first answer was lost the second is 404.
  if (hasStatus(answer, 200, 404)) forgetAccount(world, merchant, account);
}

/** Keys and phones of an account end with it. */
function forgetAccount(world: World, merchant: Merchant, account: Account): void {
  merchant.accounts.splice(merchant.accounts.indexOf(account), 1);
  for (const key of moneyMemoryOf(merchant).keys.all())
    if (key.accountId === account.accountId && !key.isGone) {
      key.isGone = true;
      tell(world, merchant, key);
    }
  for (const device of memoryOf(merchant).devices.all())
    if (!device.isRevoked && account.pointsOfSale.some(({ id }) => id === device.posId)) {
      device.isRevoked = true;
      tellDevice(world, merchant, device);
    }
}

function describedBy(random: Random): object {
  const name = `store ${hex(random, 2)}`;
  const basisPoints = random.oneOf([0, 50, 100, 500, 501]);
  const tolerance = {
    ...{ basis_points: basisPoints },
    ...(basisPoints > 0 && { at_most: random.oneOf(['0.01', '2.5', '1000']) }),
  };
  return {
    name: random.chance(0.97) ? name : '',
    ...(random.chance(0.3) && { external_id: `store-${hex(random, 3)}` }),
    ...(random.chance(0.5) && { underpayment_tolerance: tolerance }),
  };
}
