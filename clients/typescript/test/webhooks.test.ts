import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook, webhookListener, type ListenerOptions, type WebhookEvent } from '../src/index.js';

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

/** Signature by the Standard Webhooks library, which requires a padded secret. */
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

describe('Verifying a webhook', () => {
  it.each([
    ['a view of a larger buffer', { body: Buffer.from(`x${BODY}x`).subarray(1, -1) }],
    ['fetch headers', { headers: new Headers(headers()) }],
  ])('accepts bodies and headers of any type: %s', (_, change) => {
    const delivery = { body: BODY, headers: headers(), secret: SECRET, now: SENT_AT, ...change };

    expect(verifyWebhook(delivery)).toEqual({ id: ID, sentAt: SENT_AT, data: DATA });
  });
});

describe('The webhook listener', () => {
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

  it('answers 200 after the verified event is handled', async () => {
    const handled: string[] = [];
    const { post, errors } = await listening(async ({ id }) => {
      await new Promise((resolve) => setImmediate(resolve));
      handled.push(id);
    });

    expect([await post(BODY, fresh()), handled, errors]).toEqual([200, [ID], []]);
  });

  it('answers 401 to an unverifiable event, does not handle it, and reports the reason', async () => {
    const handled: string[] = [];
    const { post, errors } = await listening(({ id }) => void handled.push(id));

    const statuses = [await post(`${BODY} `, fresh()), await post(BODY, {})];

    expect([statuses, handled]).toEqual([[401, 401], []]);
    expect(errors).toMatchObject([{ reason: 'signature_mismatch' }, { reason: 'header_missing' }]);
  });

  it('reads the secrets for each delivery, so that they can be rotated', async () => {
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

  it('answers 413 to an oversized body, and 500 if the event could not be handled', async () => {
    const { post, errors } = await listening(() => {
      throw new Error('The orders are locked.');
    });

    expect([await post('x'.repeat(70_000), fresh()), await post(BODY, fresh())]).toEqual([413, 500]);
    expect(errors.at(-1)).toMatchObject({ message: 'The orders are locked.' });
  });
});
