import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { newId, type WebhookId } from '#shared/kernel/ids.js';
import { WebhookSecrets } from '#contexts/webhooks/domain/registration/webhooks.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

let platform: TestPlatform;
let api: WebhookApi;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { allowLoopbackHttp: false });
  api.resolver.state('shop.example', '93.184.215.14');
  api.resolver.state('inner.example', '93.184.215.14', '10.0.0.7');
  api.resolver.hang('slow.example');
});
afterAll(async () => {
  await api.close();
  await platform.close();
});

const register = (body: unknown, account?: string) =>
  api.call('POST', '', body, account === undefined ? {} : { account });

const valid = { url: 'https://shop.example:8443/hooks?shop=1', event_type: 'payment_request' };

const BAD_URLS: readonly (readonly [url: unknown, rule: string])[] = [
  ['http://shop.example/', 'https'],
  ['https://127.0.0.1/', 'public_address'],
  ['https://[::ffff:7f00:1]/', 'public_address'],
  ['https://inner.example/', 'public_address'],
  ['https://unknown.example/', 'resolvable'],
  ['https://slow.example/', 'resolvable'],
  ['https://user:pass@shop.example/', 'no_credentials'],
  [`https://shop.example/${'a'.repeat(2_979)}`, 'max_length'],
  ['https://shop.example/a b', 'url'],
  ['', 'url'],
  [7, 'string'],
  [undefined, 'required'],
];

describe('Registering a webhook', () => {
  it('answers its fields with the secret, and stores the secret only sealed', async () => {
    const answer = await register({ ...valid, description: 'Order system' });

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
    expect(api.app.get(WebhookSecrets).open(id as WebhookId, sealed)).toBe(secret);
  });

  it.each(['payment_request', 'incoming_transfer', 'refund'])(
    'takes the event type %s',
    async (event_type) => {
      expect(await register({ ...valid, event_type })).toMatchObject({
        httpStatus: 200,
        data: { event_type },
      });
    },
  );

  it('takes the account id in upper case too', async () => {
    expect(await register(valid, api.home.accountId.toUpperCase())).toMatchObject({
      data: { account_id: api.home.accountId },
    });
  });

  it.each([
    ...BAD_URLS.map(([url, rule]) => [{ url }, 'url', rule] as const),
    [{ event_type: 'payment' }, 'event_type', 'in'],
    [{ event_type: 'deposit' }, 'event_type', 'in'],
    [{ event_type: undefined }, 'event_type', 'required'],
    [{ description: '' }, 'description', 'text'],
    [{ secret: 'mine' }, 'secret', 'unknown_field'],
  ])('refuses %j, naming %s and the rule %s', async (change, field, rule) => {
    const answer = await register({ ...valid, ...change });

    expect(answer).toMatchObject({ httpStatus: 400, status: 'error', errors: [{ field, rule }] });
  });

  it.each([
    ['another organization’s account, or none', newId<string>()],
    ['what is no id', 'mine'],
    ['what is nearly an id', `${newId()}0`],
  ])('refuses %s in the same words', async (_, accountId) => {
    const { request_id: _id, ...answer } = await register(valid, accountId);

    expect(answer).toEqual({
      httpStatus: 403,
      status: 'error',
      code: 'account_not_allowed',
      message: expect.any(String),
    });
  });
});

describe('Changing the URL of a webhook', () => {
  it('answers it with the new URL and everything else as it was', async () => {
    const { secret: _, ...before } = (await register(valid)).data;

    const answer = await api.call('PUT', `/${before.id}/url`, { url: 'https://shop.example/new' });

    expect(answer).toEqual({
      httpStatus: 200,
      status: 'success',
      data: { ...before, url: 'https://shop.example/new', updated_at: expect.any(String) },
    });
  });

  it.each(BAD_URLS)('refuses %j by the rule %s and leaves it as it was', async (url, rule) => {
    const { id } = (await register(valid)).data;

    const answer = await api.call('PUT', `/${id}/url`, { url });

    expect(answer).toMatchObject({ httpStatus: 400, status: 'error', errors: [{ field: 'url', rule }] });
    const stored = await platform.database.query('SELECT url FROM webhooks.webhooks WHERE id = $1', [id]);
    expect(stored).toEqual([{ url: valid.url }]);
  });

  it('looks up nothing for a webhook that is somebody else’s', async () => {
    const account = api.foreign.accountId;
    const scope = { organizationId: api.foreign.organizationId, accountId: null };
    const { id } = await api.register(valid.url, { account, scope });
    const asked = api.resolver.asked.length;

    const answer = await api.call('PUT', `/${id}/url`, { url: 'https://shop.example/theirs' });

    expect(answer).toMatchObject({ httpStatus: 404, code: 'not_found' });
    expect(api.resolver.asked).toHaveLength(asked);
  });
});
