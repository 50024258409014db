import { describe, expect, it } from '@jest/globals';
import { verifyWebhookSignature } from '../../../../../docs/receivers/verify-webhook.js';
import type { AccountId } from '#shared/kernel/ids.js';
import { notificationBody } from '../events/notifications.js';
import { signDelivery } from './sign-delivery.js';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';
const AT = new Date('2026-11-21T08:00:00.900Z');

describe('The body of a delivery', () => {
  const notice = {
    type: 'payment_request.status_changed' as const,
    aggregateId: '0193b2f4-0000-7000-8000-000000000001',
    accountId: '0193b2f4-0000-7000-8000-000000000003' as AccountId,
    data: {
      paymentRequestType: 'fixed' as const,
      status: 'completed' as const,
      pointOfSaleId: '0193b2f4-0000-7000-8000-000000000002',
    },
  };

  it('is the documented payload in canonical JSON', () => {
    expect(notificationBody({ ...notice, data: { ...notice.data, referenceId: 'Ñ/"😀' } })).toBe(
      '{"data":{"account_id":"0193b2f4-0000-7000-8000-000000000003","external_reference_id":"Ñ/\\"😀",' +
        '"notification_type":"payment_request_status_update",' +
        '"payment_request_id":"0193b2f4-0000-7000-8000-000000000001","payment_request_type":"fixed",' +
        '"point_of_sale_id":"0193b2f4-0000-7000-8000-000000000002","status":"completed"}}',
    );
  });

  it('leaves out a reference that is not set', () => {
    expect(Object.keys((JSON.parse(notificationBody(notice)) as { data: object }).data)).not.toContain(
      'external_reference_id',
    );
  });
});

describe('Signing an attempt', () => {
  const body = '{"data":{"external_reference_id":"Ñ/\\"😀"}}';
  const delivery = { messageId: '0193b2f4-6a11-7d02-8c3f-5b2e9a1c4d70', body };

  it('passes the check that receivers make', () => {
    const headers = signDelivery(delivery, { current: SECRET }, AT);

    expect(headers['X-Request-Signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(headers['X-Request-Timestamp']).toBe('1795248000');
    expect(
      verifyWebhookSignature({
        body,
        signature: headers['X-Request-Signature']!,
        timestamp: headers['X-Request-Timestamp']!,
        secret: SECRET,
        now: AT,
      }),
    ).toBe(true);
  });

  it('signs each attempt afresh under the same id', () => {
    const first = signDelivery(delivery, { current: SECRET }, AT);
    const second = signDelivery(delivery, { current: SECRET }, new Date(AT.getTime() + 5_000));

    expect(second['webhook-id']).toBe(first['webhook-id']);
    expect(second['X-Request-Signature']).not.toBe(first['X-Request-Signature']);
    expect(second['webhook-signature']).not.toBe(first['webhook-signature']);
  });

  it('agrees with the example that Standard Webhooks publishes', () => {
    const headers = signDelivery(
      { messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' },
      { current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      new Date(1_614_265_330_000),
    );

    expect(headers['webhook-timestamp']).toBe('1614265330');
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});
