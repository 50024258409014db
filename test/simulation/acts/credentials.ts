import type { Random } from '../random.js';
import { hex, MINUTE_MS } from './calls.js';
import { memoryOf, moneyMemoryOf, type KnownKey } from './memory.js';
import { Desk } from './people/desk.js';
import {
  changeList,
  changeRoles,
  createKey,
  deleteKey,
  disableKey,
  enableKey,
  type KeyForm,
  alone,
  changeable,
  createdKey,
  forget,
  FREE_AFTER_MS,
  learn,
  someKey,
  someList,
  someRoles,
  tell,
} from './people/keys.js';
import { requestPath, createRequest } from './payment-requests.js';
import { pathOf } from './webhooks.js';
import { act, type Act, type Call, type Merchant, type World, type Account } from './world.js';
import { foundAccount } from './accounts.js';
import { createCheckout } from './checkouts.js';
import { knownPointOfSale, openPointOfSale } from './points-of-sale.js';

const FORMS: readonly KeyForm[] = [
  ...[createKey, changeRoles, changeRoles, changeList, changeList],
  ...[disableKey, disableKey, enableKey, enableKey, enableKey, deleteKey],
];

export const credentialActs: readonly Act[] = [
  act('look after API keys in the dashboard', 1, async (world, merchant, random) => {
    const desk = await Desk.open(world, merchant);
    if (desk === undefined) return false;
    await createKey(world, merchant, desk, random);
    for (let left = random.whole(1, 4); left > 0; left -= 1)
      await random.oneOf(FORMS)(world, merchant, desk, random);
    await desk.get('/app/api-keys');
  }),
  act('create a credential by the operator', 0.6, async (world, merchant, random) => {
    const key = someKey(merchant, random);
    const told = await world.operator(
      ...['credential', 'create', '--organization', merchant.organizationId, '--name', key.name],
      ...['--roles', key.roles.join(','), '--allowed-ips', key.allowedIps.join(',')],
      ...(key.accountId === undefined ? [] : ['--account', key.accountId]),
    );
    const created = createdKey(told, key);
    if (created !== undefined) learn(world, merchant, created);
  }),
  byOperator('change a credential by the operator', 0.4, 'change', (key, random) => {
    const [roles, allowedIps] = [someRoles(random), someList(random)];
    const words = ['--roles', roles.join(','), '--allowed-ips', allowedIps.join(',')];
    return { words, change: () => Object.assign(key, { roles, allowedIps }) };
  }),
  byOperator('disable a credential by the operator', 0.8, 'disable', (key) => ({
    ...{ words: [], change: () => (key.isEnabled = false) },
  })),
  byOperator('enable a credential by the operator', 0.4, 'enable', (key) => ({
    ...{ words: [], change: () => (key.isEnabled = true) },
  })),
  byOperator('delete a credential by the operator', 0.1, 'delete', (key) => ({
    ...{ words: ['--yes'], change: () => (key.isGone = true) },
  })),
  act('use a key that may not do all', 2, async (world, merchant, random) => {
    const keys = moneyMemoryOf(merchant)
      .keys.all()
      .filter(({ isBusy }) => isBusy !== true);
    if (keys.length === 0) return false;
    const key = random.oneOf(keys);
    const from = random.oneOf([
      '10.0.0.1',
      '10.0.0.1',
      '10.44.0.9',
      '192.0.2.7',
      '203.0.113.80',
      '2001:db8::7',
    ]);
    key.isBusy = true;
    await world.call({ ...someCall(merchant, random), as: key.credential, from });
    key.isBusy = false;
  }),
  act('change something with a key that may only read', 1, async (world, merchant, random) => {
    const { webhooks, links, requests } = memoryOf(merchant);
    const changes = [
      ...webhooks.all().map((webhook) => ['PATCH', pathOf(webhook, 'deactivate')] as const),
      ...webhooks.all().map((webhook) => ['DELETE', pathOf(webhook, 'delete')] as const),
      ...links
        .all()
        .map(({ id, posId }) => ['PATCH', `/v1/pos/${posId}/payment-link/${id}/deactivate`] as const),
      ...requests.all().map((request) => ['POST', `${requestPath(request)}/expire`] as const),
    ];
    if (changes.length === 0) return false;
    const [method, path] = random.oneOf(changes);
    await world.call({ method, path, as: merchant.credentials[1]! });
  }),
  act('use a wrong secret', 0.3, async (world, merchant, random) => {
    const { keyId } = random.oneOf(merchant.credentials);
    const secret = hex(random, 32);
    const body = { api_key: random.chance(0.8) ? keyId : `svc.prd.${hex(random, 16)}`, api_secret: secret };
    await world.call({
      method: 'POST',
      path: '/v1/auth/token',
      body,
      from: `10.7.0.${random.whole(1, 254)}`,
    });
  }),
  act('try the key of another organization', 1.2, async (world, merchant, random) => {
    const others = world.merchants.filter(({ organizationId }) => organizationId !== merchant.organizationId);
    if (others.length === 0) return false;
    const { credentials } = random.oneOf(others);
    await world.call({ ...someCall(merchant, random), as: credentials[0]! });
  }),
];

/**
 * A change of a key by a command, which is repeated where it failed, since the first may have been carried out. Mostly the key is used
 * right before and after, with one token.
 */
function byOperator(
  name: string,
  weight: number,
  command: string,
  changeOf: (key: KnownKey, random: Random) => { readonly words: readonly string[]; change(): unknown },
): Act {
  return act(name, weight, async (world, merchant, random) => {
    const keys = changeable(merchant).filter(
      ({ isEnabled }) => isEnabled || command === 'enable' || random.chance(0.2),
    );
    if (keys.length === 0) return false;
    const key = random.oneOf(keys);
    const { words, change } = changeOf(key, random);
    const from = key.allowedIps.some((list) => list.startsWith('192')) ? '192.0.2.7' : '10.0.0.1';
    const call = { method: 'GET', path: '/v1/assets', as: key.credential, from } as const;
    const isUsed = random.chance(0.7);
    const run = () => world.operator('credential', command, key.credential.keyId, ...words);
    const attempt = () =>
      alone(world, merchant, key, async () => {
        if (isUsed) await world.call(call);
        let told = await run();
        if ('failed' in told) told = await run();
        if ('failed' in told) return forget(merchant, key);
        change();
        tell(world, merchant, key);
        if (isUsed) await world.call(call);
      });
    if (!(await attempt())) world.later(FREE_AFTER_MS, async () => void (await attempt()));
  });
}

function someCall(merchant: Merchant, random: Random): Call {
  const memory = memoryOf(merchant);
  const account = `/v1/account/${random.oneOf(merchant.accounts).accountId}`;
  const calls: Call[] = [
    { method: 'GET', path: account },
    { method: 'GET', path: '/v1/account' },
    { method: 'GET', path: `${account}/webhook/list` },
    { method: 'GET', path: '/v1/transactions', query: { page: '1', page_size: '5' } },
    { method: 'GET', path: '/v1/refunds' },
    { method: 'POST', path: '/v1/account', body: { name: '' } },
  ];
  for (const { id, posId } of memory.requests.all().slice(-3)) {
    const path = `/v1/pos/${posId}/payment-request/${id}`;
    calls.push({ method: 'GET', path }, { method: 'POST', path: `${path}/expire` });
    calls.push({ method: 'POST', path: `/v1/refunds/payment-request/${id}`, body: { claim: {} } });
  }
  for (const { id } of memory.refunds.all().slice(-3)) {
    calls.push({ method: 'GET', path: `/v1/refunds/${id}` });
    calls.push({ method: 'POST', path: `/v1/refunds/${id}/${random.oneOf(['approve', 'cancel'])}` });
  }
  for (const { id } of memory.webhooks.all().slice(-2))
    calls.push({ method: 'PATCH', path: `${account}/webhook/${id}/deactivate` });
  for (const { id } of memory.subscriptions.all().slice(-2))
    calls.push({ method: 'GET', path: `/v1/wallets/v1/subscriptions/${id}/charges` });
  return random.oneOf(calls);
}

const HERE = '10.0.0.1';
const ELSEWHERE = '192.0.2.7';

/** A key that may only read, from its creation to its end: it is used before and after each change, with one token. */
export const keyLifeActs: readonly Act[] = [
  act('make a key, open it to all addresses and disable it', 1.5, async (world, merchant, random) => {
    const key = await make(world, merchant, random);
    if (key === undefined) return;
    await use(world, key, HERE);
    await use(world, key, ELSEWHERE);
    const opened = { allowedIps: [] };
    if (!(await change(world, merchant, key, ['change', '--allowed-ips', ''], opened))) return;
    await use(world, key, ELSEWHERE);
    // What was refused after a change is excused by the next one for some minutes.
    world.later(random.whole(4, 40) * MINUTE_MS, async () => {
      await use(world, key, HERE);
      if (!(await change(world, merchant, key, ['disable'], { isEnabled: false }))) return;
      for (let times = 3; times > 0; times -= 1) await use(world, key, HERE);
    });
  }),
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

export const accountKeyActs: readonly Act[] = [
  act('read all lists with the key of an account', 3, async (world, merchant, random) => {
    const as = await accountKey(world, merchant, random, random.oneOf(merchant.accounts));
    if (as === undefined) return;
    for (const path of random.shuffled(listsOf(merchant)).slice(0, 5))
      await world.call({ method: 'GET', path, as: as.credential });
  }),
  act('use the key of an account for objects of another', 2, async (world, merchant, random) => {
    const account = random.oneOf(merchant.accounts);
    const calls = objectsBeside(account, merchant, random);
    const as = calls.length > 0 ? await accountKey(world, merchant, random, account) : undefined;
    if (as === undefined) return false;
    for (const call of random.shuffled(calls).slice(0, 3)) await world.call({ ...call, as: as.credential });
  }),
  act('use the key of an account at another account', 2, async (world, merchant, random) => {
    if (merchant.accounts.length < 2) await foundAccount(world, merchant, random);
    const [own, other] = random.shuffled(merchant.accounts);
    const key = other && (await accountKey(world, merchant, random, own!));
    const place =
      key && (other!.pointsOfSale[0] ?? (await openPointOfSale(world, merchant, random, 'online', other)));
    if (!place || key === undefined) return other !== undefined;
    key.isBusy = true;
    await useAt(world, merchant, random, place.id, key);
    key.isBusy = false;
  }),
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
