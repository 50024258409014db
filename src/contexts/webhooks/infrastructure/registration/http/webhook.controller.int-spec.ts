import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type WebhookId } from '#shared/kernel/ids.js';
import { ORGANIZATION_SCOPE_ROUTE } from '#shared/platform/http/callers/route-markers.js';
import { AesWebhookSecrets } from '#contexts/webhooks/infrastructure/registration/persistence/aes-webhook-secrets.js';
import {
  startWebhookApi,
  type WebhookApiAnswer,
  type WebhookApi,
} from '#contexts/webhooks/testing/webhook-api.js';
import { RedeliveryController } from '../../redelivery/http/redelivery.controller.js';
import { WebhookLogController } from '../../delivery/http/webhook-log.controller.js';
import { WebhookQueries } from '../persistence/webhook-queries.js';
import { WebhookController } from './webhook.controller.js';
import { WebhookSecretController } from './webhook-secret.controller.js';

const HOOK = 'https://shop.example:8443/hooks?shop=1';
const valid = { url: HOOK, event_type: 'payment_request' };
/** Every HTTP operation on a single webhook. */
const OPERATIONS = [
  ['PUT', 'url', { url: HOOK }],
  ['PATCH', 'activate', undefined],
  ['PATCH', 'deactivate', undefined],
  ['DELETE', 'delete', undefined],
  ['POST', 'test', undefined],
  ['POST', 'rotate-secret', { overlap_seconds: 60 }],
  ['POST', 'rotate-secret', undefined],
  ['POST', 'end-overlap', undefined],
  ['POST', `delivery/${newId()}/resend`, undefined],
  ['POST', 'replay', { from: '2026-05-01T00:00:00Z', to: '2026-05-02T00:00:00Z' }],
] as const;
const BAD_URLS: readonly (readonly [url: unknown, rule: string])[] = [
  ['http://shop.example/', 'https'],
  ['https://127.0.0.1/', 'public_address'],
  ['https://inner.example/', 'public_address'],
  ['https://unknown.example/', 'resolvable'],
  [7, 'string'],
  [undefined, 'required'],
];
let platform: TestPlatform;
let api: WebhookApi;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { allowLoopbackHttp: false });
  api.resolver.setAddresses('shop.example', '93.184.215.14');
  api.resolver.setAddresses('inner.example', '93.184.215.14', '10.0.0.7');
});
afterAll(async () => {
  await api.close();
  await platform.close();
});

const register = (body: unknown, account?: string) =>
  api.call('POST', '', body, account === undefined ? {} : { account });
const stored = () =>
  platform.database.query<Record<string, unknown>>('SELECT * FROM webhooks.webhooks ORDER BY id');
const wordsOf = (answer: WebhookApiAnswer) => ({ ...answer, request_id: undefined });
const callerOf = ({ accountId: account, organizationId }: WebhookApi['home']) => ({
  account,
  scope: { organizationId, accountId: null },
});
/** Callers of another account of the organization, and of another organization. */
const foreignCallers = () => [callerOf(api.sibling), callerOf(api.foreign)];

describe('The list of webhooks', () => {
  it('contains those of the account, oldest first, without secrets', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await api.register(HOOK)).id);
    for (const calling of foreignCallers()) await api.register(HOOK, calling);

    const all = await api.call('GET', '/list');
    const second = await api.call('GET', '/list?page=2&page_size=2');
    const { next } = (await api.call('GET', '/list?page_size=2')).data as { next?: string };
    const behind = await api.call('GET', `/list?page_size=2&after=${next}`);
    const beyond = await api.call('GET', '/list?page=9');

    expect(all).toMatchObject({ data: { total: 3, page: 1, page_size: 50, total_pages: 1 } });
    expect(all.data.data.map(({ id }) => id)).toEqual(ids);
    expect(Object.keys(all.data.data[0]!).sort()).toEqual([
      ...[
        'account_id',
        'active',
        'created_at',
        'enabled',
        'event_type',
        'failing',
        'id',
        'updated_at',
        'url',
      ],
    ]);
    expect(second.data).toMatchObject({ data: [{ id: ids[2] }], total: 3, page: 2, page_size: 2 });
    expect(behind.data).toEqual({ ...second.data, page: 1 });
    expect(beyond.data).toMatchObject({ data: [], total: 3 });
    const queries = api.app.get(WebhookQueries);
    const listed = await queries.list(api.home.organizationId, { page: 1, pageSize: 10 });
    expect([listed.total, ...listed.items.slice(0, 3).map(({ id }) => id)]).toEqual([4, ...ids]);
    const foreign = queries.find(api.foreign.organizationId, ids[0] as WebhookId);
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('The registration of a webhook', () => {
  it('returns the secret, which is stored encrypted', async () => {
    const answer = await register(
      { ...valid, description: 'Order system' },
      api.home.accountId.toUpperCase(),
    );

    const { id, secret, created_at } = answer.data;
    expect(answer).toEqual({
      httpStatus: 200,
      status: 'success',
      data: {
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        account_id: api.home.accountId,
        url: valid.url,
        event_type: 'payment_request',
        description: 'Order system',
        active: true,
        enabled: true,
        failing: false,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: created_at,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9]{44}$/),
      },
    });
    const [row] = await platform.database.query<{
      organizationId: string;
      secretKeyId: string;
      sealedSecret: Buffer;
    }>('SELECT * FROM webhooks.webhooks WHERE id = $1', [id]);
    expect(row!.organizationId).toBe(api.home.organizationId);
    expect(JSON.stringify(row)).not.toContain(secret);
    const sealed = { keyId: row!.secretKeyId, bytes: row!.sealedSecret };
    expect(api.app.get(AesWebhookSecrets).open(id as WebhookId, sealed)).toBe(secret);
  });

  it.each(['incoming_transfer', 'refund'])('accepts the event type %s', async (event_type) => {
    expect(await register({ ...valid, event_type })).toMatchObject({ httpStatus: 200, data: { event_type } });
  });

  it.each([
    ...BAD_URLS.map(([url, rule]) => [{ url }, 'url', rule] as const),
    [{ event_type: 'deposit' }, 'event_type', 'in'],
    [{ event_type: undefined }, 'event_type', 'required'],
    [{ description: '' }, 'description', 'text'],
    [{ secret: 'mine' }, 'secret', 'unknown_field'],
  ])(
    'is rejected with the field and the rule that it breaks: %j, field %s, rule %s',
    async (change, field, rule) => {
      const answer = await register({ ...valid, ...change });
      expect(answer).toMatchObject({ httpStatus: 400, status: 'error', errors: [{ field, rule }] });
    },
  );
});

describe('The change of a URL', () => {
  it('returns the webhook with the new URL and changes nothing else', async () => {
    const { secret: _, ...before } = (await register(valid)).data;

    const answer = await api.call('PUT', `/${before.id}/url`, { url: 'https://shop.example/new' });

    expect(answer).toEqual({
      httpStatus: 200,
      status: 'success',
      data: { ...before, url: 'https://shop.example/new', updated_at: expect.any(String) },
    });
  });

  it('rejects the same URLs as the registration, and keeps the old one', async () => {
    const { id } = (await register(valid)).data;
    for (const [url, rule] of BAD_URLS) {
      const answer = await api.call('PUT', `/${id}/url`, { url });
      expect(answer).toMatchObject({ httpStatus: 400, status: 'error', errors: [{ field: 'url', rule }] });
    }
    const urls = await platform.database.query('SELECT url FROM webhooks.webhooks WHERE id = $1', [id]);
    expect(urls).toEqual([{ url: valid.url }]);
  });
});

describe('The activation or deactivation of a webhook', () => {
  it.each(['activate', 'deactivate'])(
    'returns the same webhook for repeated and concurrent requests: %s',
    async (verb) => {
      const { id } = await api.register(HOOK);
      const answers = await Promise.all([1, 2, 3].map(() => api.call('PATCH', `/${id}/${verb}`)));
      answers.push(await api.call('PATCH', `/${id}/${verb}`));

      expect(answers[0]).toMatchObject({
        httpStatus: 200,
        data: { id, active: verb === 'activate', enabled: verb === 'activate' },
      });
      expect(answers).toEqual(answers.map(() => answers[0]));
    },
  );
});

describe('The deletion of a webhook', () => {
  it('returns its id, removes its secrets and makes it unknown', async () => {
    const { id } = await api.register(HOOK);
    const missing = wordsOf(await api.call('PATCH', `/${newId()}/activate`));

    const answer = await api.call('DELETE', `/${id}/delete`);

    expect(answer).toEqual({ httpStatus: 200, status: 'success', data: { id } });
    for (const [method, verb, body] of OPERATIONS)
      expect(wordsOf(await api.call(method, `/${id}/${verb}`, body))).toEqual(missing);
    const { data } = await api.call('GET', '/list?page_size=100');
    expect(data.data.map((webhook) => webhook['id'])).not.toContain(id);
    const [row] = (await stored()).filter((webhook) => webhook['id'] === id);
    expect(row).toMatchObject({ sealedSecret: Buffer.alloc(0), previousSealedSecret: null });
  });
});

describe('Every operation on a webhook', () => {
  it('rejects a webhook of another account or organization like an unknown one', async () => {
    const ids = ['mine', `${newId()}0`];
    for (const calling of foreignCallers()) ids.push((await api.register(HOOK, calling)).id);
    const [before, lookups] = [await stored(), api.resolver.asked.length];
    for (const [method, verb, body] of OPERATIONS) {
      const missing = await api.call(method, `/${newId()}/${verb}`, body);
      expect(missing).toMatchObject({ httpStatus: 404, code: 'not_found' });
      for (const id of ids)
        expect(wordsOf(await api.call(method, `/${id}/${verb}`, body))).toEqual(wordsOf(missing));
    }
    expect([await stored(), api.resolver.asked.length]).toEqual([before, lookups]);
  });

  it('rejects an account of another organization, or a caller limited to one account, like an unknown account', async () => {
    const { id } = await api.register(HOOK);
    const before = await stored();
    const { organizationId, accountId } = api.home;
    for (const [method, path, body] of [
      ['POST', '', valid],
      ...OPERATIONS.map(([m, verb, b]) => [m, `/${id}/${verb}`, b]),
    ] as const) {
      // prettier-ignore
      const answers: Awaited<ReturnType<typeof api.call>>[] = [];
      for (const account of [newId<string>(), api.foreign.accountId, 'mine', `${newId()}0`])
        answers.push(await api.call(String(method), String(path), body, { account }));
      if (path !== '')
        answers.push(
          await api.call(String(method), String(path), body, { scope: { organizationId, accountId } }),
        );
      expect(answers[0]).toMatchObject({ httpStatus: 403, code: 'account_not_allowed' });
      expect(answers.map(wordsOf)).toEqual(answers.map(() => wordsOf(answers[0]!)));
    }
    expect(await stored()).toEqual(before);
  });

  it('is limited to credentials of an organization', () => {
    const controllers = [
      WebhookController,
      WebhookSecretController,
      WebhookLogController,
      RedeliveryController,
    ];
    for (const each of controllers) expect(Reflect.getMetadata(ORGANIZATION_SCOPE_ROUTE, each)).toBe(true);
  });
});

describe('An account with a limit of three webhooks', () => {
  let limited: TestPlatform;
  let limitedApi: WebhookApi;
  beforeAll(async () => {
    limited = await openTestDatabase();
    limitedApi = await startWebhookApi(limited, { perAccount: 3 });
  });
  afterAll(async () => {
    await limitedApi.close();
    await limited.close();
  });
  const add = (calling = callerOf(limitedApi.home)) =>
    limitedApi.call('POST', '', { ...valid, url: 'http://127.0.0.1:9/hooks' }, calling);

  it('cannot have a fourth webhook until one is deleted; deactivation is not enough', async () => {
    const [first, second] = [await add(), await add(), await add()];
    const fourth = await add();
    await limitedApi.call('PATCH', `/${first.data.id}/deactivate`);
    const afterDeactivation = await add();
    await limitedApi.call('DELETE', `/${second.data.id}/delete`);
    const afterDeletion = [await add(), await add()];

    expect(fourth).toMatchObject({ httpStatus: 409, code: 'state_conflict' });
    expect(fourth.message).toBe('The account already has 3 webhooks, the maximum. Delete one first.');
    expect(afterDeactivation.httpStatus).toBe(409);
    expect(afterDeletion.map(({ httpStatus }) => httpStatus)).toEqual([200, 409]);
    expect((await add(callerOf(limitedApi.sibling))).httpStatus).toBe(200);
  });

  it('gets the last webhook once for ten concurrent requests', async () => {
    const foreign = callerOf(limitedApi.foreign);
    for (let n = 0; n < 2; n += 1) await add(foreign);
    // A registration that did not wait for a concurrent registration would not count its webhook.
    await limited.database.query(
      `CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END'`,
    );
    await limited.database.query(
      'CREATE TRIGGER linger AFTER INSERT ON webhooks.webhooks FOR EACH ROW EXECUTE FUNCTION linger()',
    );
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(foreign)));
    await limited.database.query('DROP FUNCTION linger CASCADE');

    expect(answers.map(({ httpStatus }) => httpStatus).sort()).toEqual([200, ...Array(9).fill(409)]);
  });
});
