import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyDelivery, type RawDelivery } from './verify-delivery.js';

const NEW = `whsec_${'n'.repeat(43)}`;
const PREVIOUS = `whsec_${'p'.repeat(43)}`;
const SENT_AT = 1_795_248_000;
const BODY = '{"data":{"external_reference_id":"Ñ/\\"😀","status":"completed"}}';
const ID = '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70';

const own = (secret: string, body = BODY) =>
  createHmac('sha256', secret).update(`${SENT_AT}.${body}`).digest('hex');
const standard = (secret: string, body = BODY) =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64url'))
    .update(`${ID}.${SENT_AT}.${body}`)
    .digest('base64')}`;

const delivery = (headers: Record<string, string> = {}, body = BODY): RawDelivery => ({
  body,
  headers: {
    'x-request-signature': own(NEW),
    'x-request-timestamp': String(SENT_AT),
    'webhook-id': ID,
    'webhook-timestamp': String(SENT_AT),
    'webhook-signature': standard(NEW),
    ...headers,
  },
});
const after = (seconds: number) => new Date((SENT_AT + seconds) * 1_000);
const verdictOf = (received: RawDelivery, secrets = [NEW], now = after(1)) => {
  const { verified, own, standard } = verifyDelivery(received, secrets, now);
  return [verified, own.explanation, standard?.explanation];
};

describe('The verification of a delivery', () => {
  it('verifies both signatures, and reports the age of the delivery', () => {
    expect(verifyDelivery(delivery(), [NEW], after(1))).toEqual({
      verified: true,
      own: { verifies: true, explanation: 'verifies' },
      standard: { verifies: true, explanation: 'verifies' },
      age: 1,
      value: JSON.parse(BODY),
    });
  });

  it('accepts any of the secrets and any of the signatures while a secret is being rotated', () => {
    const rotating = delivery({
      'x-request-signature': own(PREVIOUS),
      'webhook-signature': `${standard(NEW)} ${standard(PREVIOUS)}`,
    });

    expect(verdictOf(rotating, [NEW, PREVIOUS])).toEqual([
      true,
      'verifies with secret 2 of 2',
      'verifies with secret 1 of 2',
    ]);
    expect(verdictOf(rotating, [PREVIOUS])).toEqual([true, 'verifies', 'verifies']);
    expect(verdictOf(rotating, [NEW])).toEqual([false, 'not made with the secret', 'verifies']);
  });

  it.each([
    ['another id', delivery({ 'webhook-id': `${ID}0` }), [false, 'verifies', 'not made with the secret']],
    [
      'another body',
      delivery({}, BODY.replace('completed', 'overpaid')),
      [false, 'not made with the secret', 'not made with the secret'],
    ],
    ['what is not JSON', delivery({}, '{'), [false, 'the body is not JSON', 'not made with the secret']],
    [
      'a timestamp that is no number',
      delivery({ 'x-request-timestamp': 'now' }),
      [false, 'its timestamp is not unix seconds', 'verifies'],
    ],
  ])('rejects a changed or malformed delivery: %s', (_, received, verdict) => {
    expect(verdictOf(received)).toEqual(verdict);
  });

  it('rejects a delivery older than 300 seconds, and accepts a time in the future', () => {
    const tooOld = 'too old: 301 s; the limit is 300 s';

    expect(verdictOf(delivery(), [NEW], after(300))).toEqual([true, 'verifies', 'verifies']);
    expect(verdictOf(delivery(), [NEW], after(301))).toEqual([
      false,
      tooOld,
      'The delivery is 301 s old. The limit is 300 s',
    ]);
    expect(verdictOf(delivery(), [NEW], after(-86_400))).toEqual([true, 'verifies', 'verifies']);
  });
});
