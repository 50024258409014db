import type { Random } from '../random.js';
import { hex } from './calls.js';
import { memoryOf } from './memory.js';
import { moneyMemoryOf, type KnownKey } from './money-memory.js';
import { Desk } from './people/desk.js';
import {
  changeList,
  changeRoles,
  createKey,
  deleteKey,
  disableKey,
  enableKey,
  type KeyForm,
} from './people/key-forms.js';
import {
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
import { requestPath } from './request-reads.js';
import { pathOf } from './webhooks.js';
import type { Act, Call, Merchant } from './world.js';

/** Changes in the dashboard, by how often each is drawn. */
const FORMS: readonly KeyForm[] = [
  ...[createKey, changeRoles, changeRoles, changeList, changeList],
  ...[disableKey, disableKey, enableKey, enableKey, enableKey, deleteKey],
];

export const credentialActs: readonly Act[] = [
  {
    name: 'look after API keys in the dashboard',
    weight: 1,
    async attempt(world, merchant, random) {
      const desk = await Desk.open(world, merchant);
      if (desk === undefined) return false;
      await createKey(world, merchant, desk, random);
      for (let left = random.whole(1, 4); left > 0; left -= 1)
        await random.oneOf(FORMS)(world, merchant, desk, random);
      await desk.get('/app/api-keys');
      return true;
    },
  },
  {
    name: 'create a credential by the operator',
    weight: 0.6,
    async attempt(world, merchant, random) {
      const key = someKey(merchant, random);
      const told = await world.operator(
        ...['credential', 'create', '--organization', merchant.organizationId, '--name', key.name],
        ...['--roles', key.roles.join(','), '--allowed-ips', key.allowedIps.join(',')],
        ...(key.accountId === undefined ? [] : ['--account', key.accountId]),
      );
      const created = createdKey(told, key);
      if (created !== undefined) learn(world, merchant, created);
      return true;
    },
  },
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
  {
    name: 'use a key that may not do all',
    weight: 2,
    async attempt(world, merchant, random) {
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
      return true;
    },
  },
  {
    name: 'change something with a key that may only read',
    weight: 1,
    async attempt(world, merchant, random) {
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
      return true;
    },
  },
  {
    name: 'use a wrong secret',
    weight: 0.3,
    async attempt(world, merchant, random) {
      const { keyId } = random.oneOf(merchant.credentials);
      const secret = hex(random, 32);
      const body = { api_key: random.chance(0.8) ? keyId : `svc.prd.${hex(random, 16)}`, api_secret: secret };
      await world.call({
        method: 'POST',
        path: '/v1/auth/token',
        body,
        from: `10.7.0.${random.whole(1, 254)}`,
      });
      return true;
    },
  },
  {
    name: 'try the key of another organization',
    weight: 1.2,
    async attempt(world, merchant, random) {
      const others = world.merchants.filter(
        ({ organizationId }) => organizationId !== merchant.organizationId,
      );
      if (others.length === 0) return false;
      const { credentials } = random.oneOf(others);
      await world.call({ ...someCall(merchant, random), as: credentials[0]! });
      return true;
    },
  },
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
  return {
    name,
    weight,
    async attempt(world, merchant, random) {
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
      const act = () =>
        alone(world, merchant, key, async () => {
          if (isUsed) await world.call(call);
          let told = await run();
          if ('failed' in told) told = await run();
          if ('failed' in told) return forget(merchant, key);
          change();
          tell(world, merchant, key);
          if (isUsed) await world.call(call);
        });
      if (!(await act())) world.later(FREE_AFTER_MS, async () => void (await act()));
      return true;
    },
  };
}

/** A call that names something of the merchant's, reading or writing. */
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
