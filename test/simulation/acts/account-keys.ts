import type { Random } from '../random.js';
import { foundAccount } from './accounts.js';
import { hex } from './calls.js';
import { createCheckout } from './checkouts.js';
import { memoryOf } from './memory.js';
import { moneyMemoryOf, type KnownKey } from './money-memory.js';
import { createRequest } from './payment-requests.js';
import { createdKey, learn } from './people/keys.js';
import { knownPointOfSale, openPointOfSale } from './points-of-sale.js';
import { requestPath } from './request-reads.js';
import type { Account, Act, Call, Merchant, World } from './world.js';

/** The software of one account uses a key of that account alone. */
export const accountKeyActs: readonly Act[] = [
  {
    name: 'read all lists with the key of an account',
    weight: 3,
    async attempt(world, merchant, random) {
      const as = await accountKey(world, merchant, random, random.oneOf(merchant.accounts));
      if (as === undefined) return true;
      for (const path of random.shuffled(listsOf(merchant)).slice(0, 5))
        await world.call({ method: 'GET', path, as: as.credential });
      return true;
    },
  },
  {
    name: 'use the key of an account for objects of another',
    weight: 2,
    async attempt(world, merchant, random) {
      const account = random.oneOf(merchant.accounts);
      const calls = objectsBeside(account, merchant, random);
      const as = calls.length > 0 ? await accountKey(world, merchant, random, account) : undefined;
      if (as === undefined) return false;
      for (const call of random.shuffled(calls).slice(0, 3)) await world.call({ ...call, as: as.credential });
      return true;
    },
  },
  {
    name: 'use the key of an account at another account',
    weight: 2,
    async attempt(world, merchant, random) {
      if (merchant.accounts.length < 2) await foundAccount(world, merchant, random);
      const [own, other] = random.shuffled(merchant.accounts);
      const key = other && (await accountKey(world, merchant, random, own!));
      const place =
        key && (other!.pointsOfSale[0] ?? (await openPointOfSale(world, merchant, random, 'online', other)));
      if (!place || key === undefined) return other !== undefined;
      key.isBusy = true;
      await useAt(world, merchant, random, place.id, key);
      key.isBusy = false;
      return true;
    },
  },
];

async function useAt(
  world: World,
  merchant: Merchant,
  random: Random,
  posId: string,
  { credential: as }: KnownKey,
): Promise<void> {
  const pos = await knownPointOfSale(world, merchant, posId);
  // The shop itself has just sold something there.
  const request = pos && (await createRequest(world, merchant, random, pos, {}));
  if (pos === undefined) return;
  await createRequest(world, merchant, random, pos, { as });
  await createCheckout(world, merchant, random, pos, as);
  const path = `/v1/pos/${posId}/payment-request`;
  await world.call({ method: 'GET', path, as });
  if (request === undefined) return;
  await world.call({ method: 'GET', path: requestPath(request), as });
  await world.call({ method: 'POST', path: `${requestPath(request)}/expire`, as });
}

/** @returns a key of an account with both roles and without an allowlist; it is created where the account has none */
export async function accountKey(
  world: World,
  merchant: Merchant,
  random: Random,
  { accountId }: Account,
): Promise<KnownKey | undefined> {
  const fits = (key: KnownKey) =>
    key.accountId === accountId && key.isEnabled && !key.isGone && key.isBusy !== true;
  const isFree = (key: KnownKey) => key.roles.length === 2 && key.allowedIps.length === 0;
  const known = moneyMemoryOf(merchant)
    .keys.all()
    .find((key) => fits(key) && isFree(key));
  if (known !== undefined) return known;
  const name = `account ${hex(random, 3)}`;
  const told = await world.operator(
    ...['credential', 'create', '--organization', merchant.organizationId, '--name', name],
    ...['--account', accountId, '--roles', 'read,write'],
  );
  const key = createdKey(told, { name, accountId, roles: ['read', 'write'], allowedIps: [] });
  if (key !== undefined) learn(world, merchant, key);
  return key;
}

function listsOf(merchant: Merchant): string[] {
  return [
    ...['/v1/refunds', '/v1/refunds', '/v1/transactions', '/v1/events', '/v1/account', '/v1/pos'],
    ...merchant.accounts.flatMap(({ accountId }) => [
      `/v1/transactions/settlement/${accountId}`,
      `/v1/account/${accountId}/webhook/list`,
      `/v1/account/${accountId}/webhook/logs`,
    ]),
  ];
}

/** @returns calls for objects of other accounts of the organization */
function objectsBeside({ accountId }: Account, merchant: Merchant, random: Random): Omit<Call, 'as'>[] {
  const { requests, refunds, subscriptions } = memoryOf(merchant);
  const others = requests.all().filter((request) => request.accountId !== accountId);
  const ids = new Set(others.map(({ id }) => id));
  const method = 'GET' as const;
  return [
    ...others.flatMap(({ id, posId }) => [
      { method, path: `/v1/pos/${posId}/payment-request/${id}` },
      { method, path: `/v1/pos/${posId}/payment-request` },
      { method: 'POST' as const, path: `/v1/refunds/payment-request/${id}`, body: { claim: {} } },
    ]),
    ...refunds
      .all()
      .filter(({ requestId }) => ids.has(requestId))
      .flatMap(({ id }) => [
        { method, path: `/v1/refunds/${id}` },
        { method: 'POST' as const, path: `/v1/refunds/${id}/${random.oneOf(['approve', 'cancel'])}` },
      ]),
    ...subscriptions
      .all()
      .filter((each) => each.accountId !== accountId)
      .map(({ id, posId }) => ({ method, path: `/v1/pos/${posId}/subscription/${id}` })),
  ];
}
