import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { signDelivery } from '#contexts/webhooks/application/delivery/sign-delivery.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const secretKeys = [{ id: 'test', secret: randomBytes(32) }];
const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
let shop: Receiver;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { secretKeys });
  fixture = webhooksFixture(platform, { secretKeys });
});
beforeEach(async () => {
  shop = await startReceiver();
});
afterEach(async () => {
  await shop.close();
  expect(await fixture.broken()).toEqual([]);
});
afterAll(async () => {
  await api.close();
  await platform.close();
});

const test = (id: string) => api.call('POST', `/${id}/test`);

describe('A test of a webhook', () => {
  it('sends a signed status update with random ids, and returns its entry in the log', async () => {
    const { id, secret } = await api.register(shop.url);
    const before = await platform.clock.now();

    const { httpStatus, data } = await test(id);

    expect(httpStatus).toBe(200);
    const [{ headers, body }] = shop.requests as [(typeof shop.requests)[0]];
    expect(JSON.parse(body)).toEqual({
      data: {
        notification_type: 'payment_request_status_update',
        payment_request_id: data['payment_request_id'],
        payment_request_type: 'fixed',
        status: 'processing',
        point_of_sale_id: UUID,
        account_id: api.home.accountId,
      },
    });
    const at = new Date(Number(headers['x-request-timestamp']) * 1000);
    const signed = signDelivery({ messageId: String(data['delivery_id']), body }, { current: secret }, at);
    for (const [name, value] of Object.entries(signed)) expect(headers[name.toLowerCase()]).toBe(value);
    expect(at.getTime()).toBeGreaterThan(before.getTime() - 1_000);
    expect(at.getTime()).toBeLessThanOrEqual((await platform.clock.now()).getTime());
    expect(data).toEqual({
      ...{ id: UUID, delivery_id: UUID, webhook_id: id, event_type: 'payment_request', attempt: 1 },
      ...{ payment_request_id: UUID, status: 'delivered', http_status: 200 },
      ...{ duration_ms: expect.any(Number), created_at: TIME },
    });
    const { data: log } = await api.call('GET', '/logs?page_size=1');
    expect(log.data).toEqual([data]);
    expect(await fixture.rows('SELECT FROM platform.due_work')).toEqual([]);
  });

  it('succeeds if the receiver answers with an error, which the entry contains', async () => {
    const [status, error] = [301, 'http_status'];
    const { id } = await api.register(shop.url);
    shop.answer = (_request, response) => response.writeHead(status, { location: '/elsewhere' }).end();

    const answer = await test(id);

    expect(answer).toMatchObject({ httpStatus: 200, data: { status: 'failed', http_status: status, error } });
    expect(answer.data).not.toHaveProperty('next_attempt_at');
    expect(shop.requests).toHaveLength(1);
  });

  it('is rejected for an inactive webhook, which receives nothing', async () => {
    const { id } = await api.register(shop.url);
    await api.call('PATCH', `/${id}/deactivate`);

    const answer = await test(id);

    expect(answer).toMatchObject({ httpStatus: 409, code: 'state_conflict' });
    expect(answer.message).toContain('Activate it first');
    expect(shop.requests).toEqual([]);
  });

  it('is recorded even if the webhook is deleted during the attempt', async () => {
    const { id } = await api.register(shop.url);
    let release = (): void => undefined;
    shop.answer = (_request, response) => void (release = () => response.end());
    const running = test(id);
    await eventually(() => shop.requests.length === 1);

    await api.call('DELETE', `/${id}/delete`);
    release();

    const { data: entry, httpStatus } = await running;
    expect([httpStatus, entry['status']]).toEqual([200, 'delivered']);
    expect((await api.call('GET', '/logs?page_size=1')).data.data).toEqual([entry]);
  });

  it('is allowed 30 times a minute for each webhook', async () => {
    const { id } = await api.register(shop.url);
    const { id: other } = await api.register(shop.url);
    const foreign = { organizationId: api.foreign.organizationId, accountId: null };
    const theirs = { account: api.foreign.accountId, scope: foreign };
    for (let n = 0; n < 31; n += 1) await api.call('POST', `/${id}/test`, undefined, theirs);

    const answers = [];
    for (let n = 0; n < 31; n += 1) answers.push(await test(id));

    expect(answers.slice(0, 30).map(({ httpStatus }) => httpStatus)).toEqual(Array(30).fill(200));
    expect(answers[30]).toMatchObject({ httpStatus: 429, code: 'rate_limited' });
    expect(shop.requests).toHaveLength(30);
    expect((await test(other)).httpStatus).toBe(200);
    api.wait(60);
    expect((await test(id)).httpStatus).toBe(200);
  });
});

describe('The log of attempts', () => {
  it('lists each attempt of the account with its result, newest first', async () => {
    const scope = { organizationId: api.foreign.organizationId, accountId: null };
    const foreign = { account: api.foreign.accountId, scope };
    const { id } = await api.register(shop.url, foreign);
    shop.answer = (_request, response) => response.writeHead(503).end();
    const worker = fixture.startWorker();
    const event = statusChanged(api.foreign);
    await fixture.happen(event);
    const logs = async (query = '') => (await api.call('GET', `/logs${query}`, undefined, foreign)).data;
    await eventually(async () => (await logs())['total'] === 1);

    shop.answer = (_request, response) => response.end();
    await platform.advance(7);
    await eventually(async () => (await logs())['total'] === 2);
    await worker.stop();

    const shared = {
      id: UUID,
      delivery_id: UUID,
      webhook_id: id,
      event_id: shop.requests[0]!.headers['webhook-id'],
      event_type: 'payment_request',
      payment_request_id: event.aggregateId,
      duration_ms: expect.any(Number),
      created_at: TIME,
    };
    const { data, ...rest } = await logs();
    expect(rest).toEqual({ total: 2, page: 1, page_size: 50, total_pages: 1 });
    expect(data).toEqual([
      { ...shared, attempt: 2, status: 'delivered', http_status: 200 },
      {
        ...{ ...shared, attempt: 1, status: 'pending', http_status: 503, error: 'http_status' },
        next_attempt_at: TIME,
      },
    ]);
    const { next } = (await logs('?page_size=1')) as { next?: string };
    for (const where of ['page=2', `after=${next}`])
      expect((await logs(`?${where}&page_size=1`)).data).toEqual([data[1]]);
    expect(await logs('?page=3&page_size=1')).toMatchObject({ data: [], total: 2, total_pages: 2 });
    const sibling = { account: api.sibling.accountId };
    expect((await api.call('GET', '/logs', undefined, sibling)).data).toMatchObject({ data: [], total: 0 });
  });
});
