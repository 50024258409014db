import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId } from '#shared/kernel/ids.js';
import { ORGANIZATION_SCOPE_ROUTE } from '#shared/platform/http/callers/route-markers.js';
import { startWebhookApi, type Answer, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';
import { WebhookController } from './webhook.controller.js';
import { RedeliveryController } from '../../redelivery/http/redelivery.controller.js';
import { WebhookLogController } from '../../delivery/http/webhook-log.controller.js';
import { WebhookSecretController } from './webhook-secret.controller.js';

const HOOK = 'http://127.0.0.1:9/hooks';
/** Every operation on one webhook. */
const OPERATIONS = [
  ['PUT', 'url', { url: HOOK }],
  ['PATCH', 'activate', undefined],
  ['PATCH', 'deactivate', undefined],
  ['DELETE', 'delete', undefined],
  ['POST', 'test', undefined],
  ['POST', 'rotate-secret', { overlap_seconds: 60 }],
  ['POST', 'rotate-secret', undefined],
  ['POST', 'end-overlap', undefined],
] as const;

let platform: TestPlatform;
let api: WebhookApi;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform);
});
afterAll(async () => {
  await api.close();
  await platform.close();
});

const stored = () =>
  platform.database.query<Record<string, unknown>>('SELECT * FROM webhooks.webhooks ORDER BY id');
const wordsOf = (answer: Answer) => ({ ...answer, request_id: undefined });
/** Webhooks of another account of the organization, and of another organization. */
const elsewhere = () =>
  [api.sibling, api.foreign].map(({ accountId: account, organizationId }) => ({
    account,
    scope: { organizationId, accountId: null },
  }));

describe('Listing webhooks', () => {
  it('pages through those of the account, oldest first, without any secret', async () => {
    const ids = [];
    for (let n = 0; n < 3; n += 1) ids.push((await api.register(`${HOOK}/${n}`)).id);
    for (const calling of elsewhere()) await api.register(HOOK, calling);

    const all = await api.call('GET', '/list');
    const second = await api.call('GET', '/list?page=2&page_size=2');
    const { next } = (await api.call('GET', '/list?page_size=2')).data as { next?: string };
    const behind = await api.call('GET', `/list?page_size=2&after=${next}`);
    const beyond = await api.call('GET', '/list?page=9');

    expect(all).toMatchObject({ data: { total: 3, page: 1, page_size: 50, total_pages: 1 } });
    expect(all.data.data.map(({ id }) => id)).toEqual(ids);
    expect(Object.keys(all.data.data[0]!).sort()).toEqual([
      ...['account_id', 'active', 'created_at', 'event_type', 'failing', 'id', 'updated_at', 'url'],
    ]);
    expect(second.data).toMatchObject({ data: [{ id: ids[2] }], total: 3, page: 2, page_size: 2 });
    expect(behind.data).toEqual({ ...second.data, page: 1 });
    expect(beyond.data).toMatchObject({ data: [], total: 3 });
  });

  it.each([
    ['page=0', 'integer'],
    ['page_size=101', 'integer'],
    ['page=x', 'integer'],
    ['after=x', 'cursor'],
  ])('refuses %s by its name', async (query, rule) => {
    const answer = await api.call('GET', `/list?${query}`);

    expect(answer).toMatchObject({ httpStatus: 400, errors: [{ field: query.split('=')[0], rule }] });
  });
});

describe('Switching a webhook', () => {
  it.each(['activate', 'deactivate'])('answers the webhook, and is safe to repeat: %s', async (verb) => {
    const { id } = await api.register(HOOK);

    const first = await api.call('PATCH', `/${id}/${verb}`);
    const again = await api.call('PATCH', `/${id}/${verb}`);

    expect(first).toMatchObject({ httpStatus: 200, data: { id, active: verb === 'activate' } });
    expect(again).toEqual(first);
  });

  it('ends the same for two that deactivate at once', async () => {
    const { id } = await api.register(HOOK);

    const answers = await Promise.all([1, 2, 3, 4].map(() => api.call('PATCH', `/${id}/deactivate`)));

    expect(answers.map(({ data }) => data)).toEqual(answers.map(() => answers[0]!.data));
    expect(answers[0]).toMatchObject({ httpStatus: 200, data: { active: false } });
  });
});

describe('Deleting a webhook', () => {
  it('answers its id, and afterwards there is none', async () => {
    const { id } = await api.register(HOOK);
    const missing = wordsOf(await api.call('PATCH', `/${newId()}/activate`));

    const answer = await api.call('DELETE', `/${id}/delete`);

    expect(answer).toEqual({ httpStatus: 200, status: 'success', data: { id } });
    for (const [method, verb, body] of OPERATIONS) {
      expect(wordsOf(await api.call(method, `/${id}/${verb}`, body))).toEqual(missing);
    }
    const { data } = await api.call('GET', '/list?page_size=100');
    expect(data.data.map((webhook) => webhook['id'])).not.toContain(id);
    const [row] = (await stored()).filter((webhook) => webhook['id'] === id);
    expect(row).toMatchObject({ sealedSecret: Buffer.alloc(0), previousSealedSecret: null });
  });
});

describe.each(OPERATIONS)('%s …/%s with %j', (method, verb, body) => {
  it('answers another account’s webhook, and another organization’s, like one that there is not', async () => {
    const ids = [];
    for (const calling of elsewhere()) ids.push((await api.register(HOOK, calling)).id);
    const before = await stored();

    const missing = await api.call(method, `/${newId()}/${verb}`, body);
    const answers = [];
    for (const id of [...ids, 'mine', `${newId()}0`]) {
      answers.push(await api.call(method, `/${id}/${verb}`, body));
    }

    expect(missing).toMatchObject({ httpStatus: 404, code: 'not_found' });
    expect(answers.map(wordsOf)).toEqual(answers.map(() => wordsOf(missing)));
    expect(await stored()).toEqual(before);
  });

  it('answers an account of others like one that there is not, and one account’s own caller no better', async () => {
    const { id } = await api.register(HOOK);
    const before = await stored();
    const { organizationId, accountId } = api.home;

    const answers = [
      await api.call(method, `/${id}/${verb}`, body, { account: newId() }),
      await api.call(method, `/${id}/${verb}`, body, { account: api.foreign.accountId }),
      await api.call(method, `/${id}/${verb}`, body, { account: 'mine' }),
      await api.call(method, `/${id}/${verb}`, body, { scope: { organizationId, accountId } }),
    ];

    expect(answers[0]).toMatchObject({ httpStatus: 403, code: 'account_not_allowed' });
    expect(answers.map(wordsOf)).toEqual(answers.map(() => wordsOf(answers[0]!)));
    expect(await stored()).toEqual(before);
  });
});

describe('Managing webhooks', () => {
  it('is marked throughout for credentials of a whole organization', () => {
    const controllers = [
      WebhookController,
      WebhookSecretController,
      WebhookLogController,
      RedeliveryController,
    ];

    expect(controllers.map((each) => Reflect.getMetadata(ORGANIZATION_SCOPE_ROUTE, each))).toEqual(
      controllers.map(() => true),
    );
  });
});
