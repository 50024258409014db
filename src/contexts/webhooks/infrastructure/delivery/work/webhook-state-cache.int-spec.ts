import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../testing/webhooks-fixture.js';
import { startReceiver, type ReceivedRequest } from '../../../testing/receiver.js';
import {
  inactiveWebhookFixture,
  type InactiveWebhookFixture,
} from '../../../testing/inactive-webhook-fixture.js';

const EVENTS = 128;
/** What is claimed ahead at a lane's most takes four times as long. */
const ANSWER_AFTER_MS = 400;
/** A webhook as it was read is good for a tenth of a second; the rest is for a busy machine. */
const GRACE_MS = 400;

let fixture: InactiveWebhookFixture;
let heard: { readonly at: number; readonly request: ReceivedRequest }[];

beforeEach(async () => {
  fixture = await inactiveWebhookFixture();
  heard = [];
  fixture.shop.answer = (_request, response) => {
    heard.push({ at: performance.now(), request: fixture.shop.requests.at(-1)! });
    setTimeout(() => response.end(), ANSWER_AFTER_MS);
  };
});
afterEach(() => fixture.close());

/** Makes a change while the webhook's lane has grown to its most. @returns what the shop hears later, until all is over */
async function heardAfter(change: () => Promise<{ httpStatus: number }>): Promise<ReceivedRequest[]> {
  await fixture.happen(...fixture.events(EVENTS));
  fixture.startWorker();
  // 2, 4 and 8 at a time, and then 16.
  await eventually(() => heard.length >= 2 + 4 + 8 + 16);
  const { httpStatus } = await change();
  const graceEnds = performance.now() + GRACE_MS;
  await eventually(fixture.ended);
  expect(httpStatus).toBe(200);
  return heard.filter(({ at }) => at > graceEnds).map(({ request }) => request);
}
const call = (method: string, path: string, body?: object) =>
  fixture.api.call(method, `/${fixture.id}${path}`, body);
const isSignedWith = (secret: string, { headers, body }: ReceivedRequest) =>
  createHmac('sha256', secret)
    .update(`${String(headers['x-request-timestamp'])}.${body}`)
    .digest('hex') === headers['x-request-signature'];

describe('While a worker has many deliveries of a webhook in hand', () => {
  it.each([
    ['PATCH', '/deactivate'],
    ['DELETE', '/delete'],
  ])('%s %s is heeded at once', async (method, path) => {
    const later = await heardAfter(() => call(method, path));

    expect(later).toEqual([]);
    expect(heard.length).toBeLessThan(EVENTS);
  });

  it('a new URL is heeded at once', async () => {
    const moved = await startReceiver();

    const later = await heardAfter(() => call('PUT', '/url', { url: moved.url }));
    await moved.close();

    expect(later).toEqual([]);
    expect(await fixture.statuses()).toEqual(['delivered']);
    expect(heard.length + moved.requests.length).toBe(EVENTS);
  });

  it('a new secret without an overlap signs at once', async () => {
    let secret = '';

    const later = await heardAfter(async () => {
      const answer = await call('POST', '/rotate-secret', { overlap_seconds: 0 });
      secret = answer.data.secret;
      return answer;
    });

    expect(later.length).toBeGreaterThan(16);
    expect(later.filter((request) => !isSignedWith(secret, request))).toEqual([]);
  });

  it('a secret whose overlap is ended signs no more', async () => {
    const { secret } = (await call('POST', '/rotate-secret')).data;

    const later = await heardAfter(() => call('POST', '/end-overlap'));

    expect(later.length).toBeGreaterThan(16);
    expect(later.filter((request) => !isSignedWith(secret, request))).toEqual([]);
    expect(later.filter(({ headers }) => String(headers['webhook-signature']).includes(' '))).toEqual([]);
  });
});
