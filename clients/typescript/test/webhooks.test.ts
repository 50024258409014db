import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  verifyWebhook,
  webhookListener,
  WebhookVerificationError,
  type ListenerOptions,
  type WebhookEvent,
} from '../src/index.js';

const SECRET = `whsec_${'AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGh'}`;
const PREVIOUS = `whsec_${'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8'}`;
const ID = '0193b2f4-8be1-7c10-a4f2-3e2d1c0b9a53';
const SENT_AT = new Date('2026-11-21T08:00:00.000Z');
const DATA = {
  external_reference_id: 'Ñ/"😀\u2028',
  notification_type: 'payment_request_status_update',
  payment_request_id: ID,
  status: 'completed',
};
const BODY = JSON.stringify({ data: DATA });

/** Signed by the library of Standard Webhooks, padded as it wants. */
function signature(secret = SECRET, body = BODY, at = SENT_AT): string {
  return new Webhook(secret.padEnd(6 + 44, '=')).sign(ID, at, body);
}

function headers(change: Record<string, string | undefined> = {}, at = SENT_AT) {
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(at.getTime() / 1_000),
    'webhook-signature': signature(SECRET, BODY, at),
    ...change,
  };
}

const delivery = (change: object = {}) => ({
  ...{ body: BODY, headers: headers(), secret: SECRET, now: SENT_AT },
  ...change,
});
const after = (seconds: number) => new Date(SENT_AT.getTime() + seconds * 1_000);

function reasonOf(change: object): string {
  try {
    verifyWebhook(delivery(change));
  } catch (error) {
    if (error instanceof WebhookVerificationError) return `${error.reason}: ${error.message}`;
    throw error;
  }
  return 'verified';
}

describe('Verifying a webhook', () => {
  it('answers the event that was signed', () => {
    expect(verifyWebhook(delivery())).toEqual({ id: ID, sentAt: SENT_AT, data: DATA });
  });

  it.each([
    ['bytes', { body: Buffer.from(BODY) }],
    ['bytes inside of others', { body: Buffer.from(`x${BODY}x`).subarray(1, -1) }],
    ['the headers of fetch', { headers: new Headers(headers()) }],
    [
      'headers in capitals',
      {
        headers: Object.fromEntries(
          Object.entries(headers()).map(([name, value]) => [name.toUpperCase(), value]),
        ),
      },
    ],
    ['one of several secrets', { secret: [PREVIOUS, SECRET] }],
    [
      'one of several signatures',
      { headers: headers({ 'webhook-signature': `v1a,x ${signature(PREVIOUS)} ${signature()}` }) },
    ],
    [
      'a secret of before, of 43 characters',
      { secret: PREVIOUS, headers: headers({ 'webhook-signature': signature(PREVIOUS) }) },
    ],
    ['a timestamp 300 seconds old', { now: after(300) }],
    ['a timestamp of the future', { now: after(-86_400) }],
    ['an older one where that is tolerated', { now: after(3_600), tolerance: 3_600 }],
  ])('takes %s', (_, change) => {
    expect(reasonOf(change)).toBe('verified');
  });

  it.each([
    ['header_missing: Header webhook-id is missing.', { headers: headers({ 'webhook-id': undefined }) }],
    [
      'header_missing: Header webhook-timestamp is missing.',
      { headers: headers({ 'webhook-timestamp': '' }) },
    ],
    [
      'header_missing: Header webhook-signature is missing.',
      { headers: new Headers({ 'webhook-id': ID, 'webhook-timestamp': '1' }) },
    ],
    [
      'timestamp_malformed: Header webhook-timestamp is no number',
      { headers: headers({ 'webhook-timestamp': '1e9' }) },
    ],
    ['signature_mismatch: No signature', { body: BODY.replace('completed', 'overpaid') }],
    ['signature_mismatch: No signature', { body: BODY.replace('{"data":', '{ "data": ') }],
    ['signature_mismatch: No signature', { secret: PREVIOUS }],
    ['signature_mismatch: No signature', { headers: headers({ 'webhook-id': `${ID}0` }) }],
    ['signature_mismatch: No signature', { headers: headers({ 'webhook-timestamp': '1763712001' }) }],
    [
      'signature_mismatch: No signature',
      { headers: headers({ 'webhook-signature': signature().slice(0, -1) }) },
    ],
    ['signature_mismatch: No signature', { headers: headers({ 'webhook-signature': 'v1,' }) }],
    [
      'signature_mismatch: No signature',
      { headers: headers({ 'webhook-signature': `v1,${'é'.repeat(44)}` }) },
    ],
    ['too_old: It was sent 301 s ago, and at most 300 s count.', { now: after(301) }],
    [
      'body_not_raw: The body must be the text or bytes as they arrived.',
      { body: JSON.parse(BODY) as object },
    ],
    ['body_not_raw: The body must be', { body: undefined }],
    ['secret_malformed: The secret must be whsec_', { secret: 'svc.dev.1' }],
    ['secret_malformed: The secret must be whsec_', { secret: 'whsec_' }],
    ['secret_malformed: No secret was given', { secret: [] }],
    ['body_malformed: It is signed', signed('"text"')],
    ['body_malformed: It is signed', signed('{"data":null}')],
    ['body_malformed: It is signed', signed('no JSON')],
  ])('refuses, saying %s', (reason, change) => {
    expect(reasonOf(change)).toContain(reason);
  });

  it('says no secret and no signature in its refusal', () => {
    expect(reasonOf({ secret: PREVIOUS })).not.toMatch(/AAECAwQF|v1,/);
    expect(reasonOf({ secret: 'the secret' })).not.toContain('the secret,');
  });
});

function signed(body: string) {
  return { body, headers: headers({ 'webhook-signature': signature(SECRET, body) }) };
}

describe('The listener', () => {
  const stops: (() => void)[] = [];
  afterEach(() => stops.splice(0).forEach((stop) => stop()));

  async function listening(
    handle: (event: WebhookEvent) => void | Promise<void>,
    secret: ListenerOptions['secret'] = SECRET,
  ) {
    const errors: unknown[] = [];
    const onError = (error: unknown) => void errors.push(error);
    const server = createServer(webhookListener({ secret, handle, onError }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
    const post = async (body: string, given: Record<string, string>) =>
      (await fetch(url, { method: 'POST', body, headers: given })).status;
    return { post, errors };
  }
  const fresh = () => {
    const now = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    return headers({}, now) as Record<string, string>;
  };

  it('answers 200 once what it has verified is handled', async () => {
    const handled: string[] = [];
    const { post, errors } = await listening(async ({ id }) => {
      await new Promise((resolve) => setImmediate(resolve));
      handled.push(id);
    });

    expect([await post(BODY, fresh()), handled, errors]).toEqual([200, [ID], []]);
  });

  it('answers 401 to what it cannot verify, handles nothing and says why', async () => {
    const handled: string[] = [];
    const { post, errors } = await listening(({ id }) => void handled.push(id));

    const statuses = [await post(`${BODY} `, fresh()), await post(BODY, {})];

    expect([statuses, handled]).toEqual([[401, 401], []]);
    expect(errors).toMatchObject([{ reason: 'signature_mismatch' }, { reason: 'header_missing' }]);
  });

  it('asks a function for the secrets at each delivery, so that they can be rotated', async () => {
    let secrets = [PREVIOUS];
    const { post, errors } = await listening(
      () => undefined,
      async () => secrets,
    );

    const before = await post(BODY, fresh());
    secrets = [PREVIOUS, SECRET];

    expect([before, await post(BODY, fresh())]).toEqual([401, 200]);
    expect(errors).toMatchObject([{ reason: 'signature_mismatch' }]);
  });

  it('answers 413 to what is too large', async () => {
    const { post } = await listening(() => undefined);

    expect(await post('x'.repeat(70_000), fresh())).toBe(413);
  });

  it('answers 500 where the event could not be handled, so that it is sent again', async () => {
    const { post, errors } = await listening(() => {
      throw new Error('The orders are locked.');
    });

    expect(await post(BODY, fresh())).toBe(500);
    expect(errors).toMatchObject([{ message: 'The orders are locked.' }]);
  });
});
