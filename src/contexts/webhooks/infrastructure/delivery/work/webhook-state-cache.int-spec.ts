import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HeldDeadline } from '#contexts/webhooks/testing/held-deadline.js';
import { eventually } from '#test/support/eventually.js';
import { startReceiver, type ReceivedRequest } from '#contexts/webhooks/testing/receiver.js';
import {
  inactiveWebhookFixture,
  type InactiveWebhookFixture,
} from '#contexts/webhooks/testing/inactive-webhook-fixture.js';

const EVENTS = 128;
/** Answered, they let a lane grow to its most; so many more are then sent at a time. */
const ANSWERED_AT_ONCE = 14;
const AT_A_TIME = 16;
/** A webhook as it was read is good for a tenth of a second. */
const NO_LONGER_FRESH_MS = 110;

let fixture: InactiveWebhookFixture;
let deadline: HeldDeadline;
let heard: ReceivedRequest[];
/** Ends all answers that were held, and those to come. */
let answer: () => void;

beforeEach(async () => {
  fixture = await inactiveWebhookFixture();
  deadline = new HeldDeadline();
  heard = fixture.shop.requests;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  fixture.shop.answer = (_request, response) => {
    if (heard.length <= ANSWERED_AT_ONCE) response.end();
    else void answered.then(() => response.end());
  };
});
afterEach(() => {
  deadline.letGo();
  return fixture.close();
});

/** Makes a change while the webhook's lane has grown to its most. @returns what the shop hears later, until all is over */
async function heardAfter(change: () => Promise<{ httpStatus: number }>): Promise<ReceivedRequest[]> {
  await fixture.happen(...fixture.events(EVENTS));
  fixture.startWorker();
  await eventually(() => heard.length === ANSWERED_AT_ONCE + AT_A_TIME);
  const { httpStatus } = await change();
  await pause(NO_LONGER_FRESH_MS);
  answer();
  await eventually(fixture.ended);
  expect(httpStatus).toBe(200);
  return heard.slice(ANSWERED_AT_ONCE + AT_A_TIME);
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
