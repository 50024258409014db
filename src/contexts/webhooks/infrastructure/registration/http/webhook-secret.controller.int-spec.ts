import { signDelivery } from '#contexts/webhooks/application/delivery/sign-delivery.js';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { statusChanged } from '#contexts/webhooks/testing/payment-events.js';
import { eventually } from '#test/support/eventually.js';
import { webhooksFixture } from '#contexts/webhooks/testing/webhooks-fixture.js';
import { startReceiver, type Receiver } from '#contexts/webhooks/testing/receiver.js';
import { startWebhookApi, type WebhookApi } from '#contexts/webhooks/testing/webhook-api.js';

const secretKeys = [{ id: 'test', secret: randomBytes(32) }];

let platform: TestPlatform;
let api: WebhookApi;
let fixture: ReturnType<typeof webhooksFixture>;
let worker: ReturnType<typeof fixture.startWorker>;
let shop: Receiver;
let id: string;
let first: string;

beforeAll(async () => {
  platform = await openTestDatabase();
  api = await startWebhookApi(platform, { secretKeys });
  fixture = webhooksFixture(platform, { secretKeys });
  worker = fixture.startWorker();
  shop = await startReceiver();
});
beforeEach(async () => {
  const { data } = await api.call('GET', '/list?page_size=100');
  // All webhooks of an account receive its events, so this deactivates the webhooks of earlier tests.
  for (const webhook of data.data) await api.call('PATCH', `/${String(webhook['id'])}/deactivate`);
  shop.requests.length = 0;
  ({ id, secret: first } = await api.register(shop.url));
});
afterAll(async () => {
  await worker.stop();
  await shop.close();
  await api.close();
  await platform.close();
});

const rotate = (body?: object) => api.call('POST', `/${id}/rotate-secret`, body);
/** Reads the stored columns of the secret before the last rotation. */
const previous = async () =>
  (
    await fixture.rows(
      `SELECT previous_secret_key_id, previous_sealed_secret, previous_secret_until
       FROM webhooks.webhooks WHERE id = $1`,
      [id],
    )
  )[0];
const NO_PREVIOUS_SECRET = {
  previousSecretKeyId: null,
  previousSealedSecret: null,
  previousSecretUntil: null,
};
/** Expects that a new delivery is signed with these secrets. */
async function expectSignedWith(current: string, previous?: string): Promise<void> {
  await fixture.happen(statusChanged(api.home));
  await eventually(() => shop.requests.length > 0);
  const [{ headers, body }] = shop.requests.splice(0) as [(typeof shop.requests)[0]];
  const at = new Date(Number(headers['x-request-timestamp']) * 1_000);
  const secrets = { current, ...(previous !== undefined && { previous }) };
  const signed = signDelivery({ messageId: String(headers['webhook-id']), body }, secrets, at);
  for (const name of ['X-Request-Signature', 'webhook-signature'])
    expect([name, headers[name.toLowerCase()]]).toEqual([name, signed[name]]);
}

describe('The rotation of a secret', () => {
  it('signs with both secrets for a day, then only with the new one', async () => {
    const now = await platform.clock.now();
    const { httpStatus, data } = await rotate();
    const { secret: second, previous_secret_until: until } = data;

    expect(httpStatus).toBe(200);
    expect(second).toMatch(/^whsec_[A-Za-z0-9]{44}$/);
    const lasts = (Date.parse(String(until)) - now.getTime()) / 1000;
    expect([lasts >= 86_400, lasts < 86_410]).toEqual([true, true]);
    await expectSignedWith(second, first);

    await platform.advance(86_390 - 60);
    await expectSignedWith(second, first);

    await platform.advance(90);
    await expectSignedWith(second);
    const { data: list } = await api.call('GET', '/list?page_size=100');
    expect(list.data.find((webhook) => webhook['id'] === id)).not.toHaveProperty('previous_secret_until');
  });

  it('removes the old secret immediately if there is no overlap', async () => {
    const { data: rotated } = await rotate({ overlap_seconds: 0 });
    await expectSignedWith(rotated.secret);
    const atOnce = await previous();
    await rotate({ overlap_seconds: 60 });
    const during = await previous();
    await platform.advance(61);
    await rotate({ overlap_seconds: 0 });

    expect(rotated).not.toHaveProperty('previous_secret_until');
    expect(atOnce).toEqual(NO_PREVIOUS_SECRET);
    expect(during).toMatchObject({ previousSecretKeyId: 'test' });
    expect(await previous()).toEqual(NO_PREVIOUS_SECRET);
  });

  it('happens once for concurrent requests; the other responses explain how to end the overlap', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => rotate()));

    expect(answers.map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 409, 409, 409]);
    const second = answers.find(({ httpStatus }) => httpStatus === 200)!.data.secret;
    const refused = answers.find(({ httpStatus }) => httpStatus === 409)!;
    expect([refused.code, refused.message]).toEqual([
      'state_conflict',
      expect.stringContaining(`POST …/webhook/${id}/end-overlap`),
    ]);
    await expectSignedWith(second, first);
  });

  it.each([-1, 604_801, 1.5, '60'])('is rejected if the overlap is invalid: %j', async (overlap_seconds) => {
    const answer = await rotate({ overlap_seconds });

    expect(answer).toMatchObject({
      httpStatus: 400,
      errors: [{ field: 'overlap_seconds', rule: 'integer' }],
    });
  });
});

describe('The end of an overlap', () => {
  it('leaves only the new secret, and can be repeated', async () => {
    const { secret: second } = (await rotate()).data;

    const ended = await api.call('POST', `/${id}/end-overlap`);
    const again = await api.call('POST', `/${id}/end-overlap`);

    expect(ended).toMatchObject({ httpStatus: 200, data: { id } });
    expect(ended.data).not.toHaveProperty('previous_secret_until');
    expect(ended.data).not.toHaveProperty('secret');
    expect(again).toEqual(ended);
    await expectSignedWith(second);
    expect(await previous()).toEqual(NO_PREVIOUS_SECRET);
    expect((await rotate()).httpStatus).toBe(200);
  });

  it('is part of the deletion of a webhook', async () => {
    await rotate();
    const during = await previous();

    await api.call('DELETE', `/${id}/delete`);

    expect(during).toMatchObject({ previousSecretKeyId: 'test' });
    expect(await previous()).toEqual(NO_PREVIOUS_SECRET);
  });
});

describe('A secret', () => {
  it('is absent from later answers, log lines and the database', async () => {
    const { secret: second } = (await rotate()).data;
    const shown = api.answers.length;

    await api.call('GET', '/list?page_size=100');
    await api.call('PUT', `/${id}/url`, { url: shop.url });
    for (const verb of ['activate', 'deactivate', 'activate']) await api.call('PATCH', `/${id}/${verb}`);
    await api.call('POST', `/${id}/test`);
    await rotate();
    await api.call('GET', '/logs');
    await api.call('POST', `/${id}/end-overlap`);
    await api.call('DELETE', `/${id}/delete`);

    const later = api.answers.slice(shown).join('\n');
    const tables = ['webhooks', 'deliveries', 'delivery_attempts'].map((table) => `webhooks.${table}`);
    const dump = await Promise.all(
      tables.map((table) => fixture.rows<{ row: string }>(`SELECT t::text AS row FROM ${table} t`)),
    );
    const texts = [later, api.lines.join(''), JSON.stringify(dump)];
    for (const secret of [first, second]) {
      const hex = Buffer.from(secret.slice('whsec_'.length), 'base64url').toString('hex');
      const forms = [secret, secret.slice('whsec_'.length), hex];
      expect(texts.map((text) => forms.filter((form) => text.includes(form)))).toEqual([[], [], []]);
    }
    expect(later).not.toContain('whsec_');
    expect(api.lines.length).toBeGreaterThan(10);
  });
});
