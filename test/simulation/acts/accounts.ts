import type { Random } from '../random.js';
import { hasStatus, repeat, create, dataOf, hex, keyOf } from './calls.js';
import { memoryOf, moneyMemoryOf } from './memory.js';
import { tell } from './people/keys.js';
import { tellDevice, pairingCode, sendCode } from './tills.js';
import { act, type Account, type Act, type Merchant, type World } from './world.js';
import { createCheckout } from './checkouts.js';
import { createLink } from './payment-links.js';
import { createRequest } from './payment-requests.js';
import { Desk } from './people/desk.js';
import { openPointOfSale } from './points-of-sale.js';

/** More would only share the same payments among them. */
export const MOST_ACCOUNTS = 4;

export const accountActs: readonly Act[] = [
  act('create an account', 0.22, async (world, merchant, random) => {
    if (merchant.accounts.length >= MOST_ACCOUNTS) return false;
    await foundAccount(world, merchant, random);
  }),
  naming('change an account', 0.45, async (world, merchant, { accountId }, random) => {
    const call = { method: 'PUT', path: `/v1/account/${accountId}`, body: describedBy(random) } as const;
    await repeat(world, { ...call, as: keyOf(merchant, random) });
  }),
  act('delete an account', 0.18, async (world, merchant, random) => {
    // What stands in the way is seldom gone: some delete what they have just created.
    if (merchant.accounts.length < MOST_ACCOUNTS && random.chance(0.5))
      await foundAccount(world, merchant, random);
    if (merchant.accounts.length < 2 && random.chance(0.9)) return false;
    // Newer accounts have less that stands in the way.
    const account = random.chance(0.7) ? merchant.accounts.at(-1)! : random.oneOf(merchant.accounts);
    await closeAccount(world, merchant, random, account);
  }),
  naming('read an account', 0.45, async (world, merchant, { accountId }, random) => {
    await world.call({ method: 'GET', path: `/v1/account/${accountId}`, as: keyOf(merchant, random) });
  }),
  naming('read where the money of an account goes', 0.38, async (world, merchant, { accountId }, random) => {
    const path = `/v1/account/${accountId}/settlement-addresses`;
    await world.call({ method: 'GET', path, as: keyOf(merchant, random) });
  }),
  act('list accounts', 0.38, async (world, merchant, random) => {
    const answer = await world.call({ method: 'GET', path: '/v1/account', as: keyOf(merchant, random) });
    // A creation whose answer was lost is found here.
    const found = dataOf<{ data: readonly { id: string }[] }>(answer)?.data ?? [];
    for (const { id } of found.filter(
      (one) => !merchant.accounts.some(({ accountId }) => accountId === one.id),
    ))
      if (merchant.accounts.length < MOST_ACCOUNTS) take(world, merchant, id);
  }),
];

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
  work: (world: World, merchant: Merchant, account: Account, random: Random) => Promise<void>,
): Act {
  return act(name, weight, async (world, merchant, random) => {
    await work(world, merchant, random.oneOf(merchant.accounts), random);
  });
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

export const closedShopActs: readonly Act[] = [
  act('close a shop that has a phone', 1, async (world, merchant, random) => {
    const desk = merchant.accounts.length < MOST_ACCOUNTS ? await Desk.open(world, merchant) : undefined;
    const account = desk && (await foundAccount(world, merchant, random));
    const pos = account && (await openPointOfSale(world, merchant, random, 'physical', account));
    const code = pos && (await pairingCode(world, desk!, pos.id));
    const phone = code && (await sendCode(world, merchant, random, code));
    if (!phone) return account !== undefined;
    const ask = () =>
      world.call({ method: 'GET', path: `/v1/pos/${phone.posId}/payment-request`, as: phone.credential });
    await ask();
    await closeAccount(world, merchant, random, account!);
    // The second time with no token left.
    for (let times = 2; times > 0; times -= 1) await ask();
  }),
  act('close a shop that sells something at that moment', 1.5, async (world, merchant, random) => {
    const account =
      merchant.accounts.length < MOST_ACCOUNTS ? await foundAccount(world, merchant, random) : undefined;
    const pos = account && (await openPointOfSale(world, merchant, random, 'online', account));
    if (pos === undefined) return account !== undefined;
    const sell = random.oneOf<(random: Random) => Promise<unknown>>([
      (own) => createRequest(world, merchant, own, pos, {}),
      (own) => createCheckout(world, merchant, own, pos),
      (own) => createLink(world, merchant, own, pos),
    ]);
    const selling = Array.from({ length: random.whole(1, 3) }, () => random.branch());
    const closing = random.branch();
    await Promise.all([...selling.map(sell), closeAccount(world, merchant, closing, account!)]);
  }),
];
