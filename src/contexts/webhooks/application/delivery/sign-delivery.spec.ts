import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhookSignature } from '../../../../../docs/receivers/verify-webhook.js';
import { signDelivery } from './sign-delivery.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const PREVIOUS = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const AT = new Date('2026-11-21T08:00:00.900Z');

describe('The signature of an attempt', () => {
  const body = '{"data":{"external_reference_id":"Ñ/\\"😀"}}';
  const delivery = { messageId: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70', body };

  it('passes the documented check of a receiver', () => {
    const headers = signDelivery(delivery, { current: SECRET }, AT);
    const [signature, timestamp] = [headers['X-Request-Signature']!, headers['X-Request-Timestamp']!];

    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    expect(timestamp).toBe('1795248000');
    expect(verifyWebhookSignature({ body, signature, timestamp, secret: SECRET, now: AT })).toBe(true);
  });

  it('differs for each attempt while the id stays the same', () => {
    const first = signDelivery(delivery, { current: SECRET }, AT);
    const second = signDelivery(delivery, { current: SECRET }, new Date(AT.getTime() + 5_000));

    expect(second['webhook-id']).toBe(first['webhook-id']);
    expect(second['X-Request-Signature']).not.toBe(first['X-Request-Signature']);
    expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
  });

  it('matches the example published by Standard Webhooks', () => {
    const example = { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
    const headers = signDelivery(example, { current: PREVIOUS }, new Date(1_614_265_330_000));

    expect(headers['webhook-timestamp']).toBe('1614265330');
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('uses the previous secret during an overlap, and both secrets in the header of Standard Webhooks', () => {
    const standard = (current: string) => signDelivery(delivery, { current }, AT)['webhook-signature'];
    const headers = signDelivery(delivery, { current: SECRET, previous: PREVIOUS }, AT);

    expect(headers['X-Request-Signature']).toBe(
      createHmac('sha256', PREVIOUS).update(`1795248000.${body}`).digest('hex'),
    );
    expect(headers['webhook-signature']).toBe(`${standard(SECRET)} ${standard(PREVIOUS)}`);
  });
});
