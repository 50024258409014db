import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { verifyWebhookSignature } from '../../docs/receivers/verify-webhook.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const SENT_AT = 1_763_700_000;
const BODY =
  '{"data":{"account_id":"a","external_reference_id":"Ñ/\\"😀","notification_type":"payment_request_status_update"}}';
const SIGNATURE = createHmac('sha256', SECRET).update(`${SENT_AT}.${BODY}`).digest('hex');

const received = {
  body: BODY,
  signature: SIGNATURE,
  timestamp: String(SENT_AT),
  secret: SECRET,
  now: new Date(SENT_AT * 1000),
};

describe('Verifying a delivery', () => {
  it('accepts the signed value in any spelling', () => {
    const other =
      '{ "data": {"notification_type":"payment_request_status_update",\n"external_reference_id":"\\u00d1\\/\\"\\ud83d\\ude00", "account_id":"a"}}';

    for (const body of [BODY, other]) expect(verifyWebhookSignature({ ...received, body })).toBe(true);
  });

  it('accepts a timestamp 300 seconds old or in the future, and none older', () => {
    const at = (seconds: number) =>
      verifyWebhookSignature({ ...received, now: new Date((SENT_AT + seconds) * 1000) });

    expect([at(300), at(-86_400), at(301)]).toEqual([true, true, false]);
  });

  it.each([
    ['another body', { body: BODY.replace('"a"', '"b"') }],
    ['a body that is not JSON', { body: '{' }],
    ['a body nested too deep to read', { body: '['.repeat(200_000) + ']'.repeat(200_000) }],
    ['an upper-case signature', { signature: SIGNATURE.toUpperCase() }],
    ['an empty signature', { signature: '' }],
    ['a signature of as many characters but more bytes', { signature: 'é'.repeat(64) }],
    ['another secret', { secret: SECRET.slice('whsec_'.length) }],
    ['another timestamp', { timestamp: String(SENT_AT + 1) }],
    ['a timestamp that is no number', { timestamp: '1e9' }],
    ['no timestamp', { timestamp: '' }],
  ])('rejects a delivery with %s', (_, change) => {
    expect(verifyWebhookSignature({ ...received, ...change })).toBe(false);
  });
});
