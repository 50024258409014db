import { describe, expect, it } from '@jest/globals';
import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import {
  buildBrokerMessage,
  groupConcurrentMessages,
  type BrokerMessage,
  type NumberedEvent,
} from './broker-message.js';

const event = (changes: Partial<NumberedEvent> = {}): NumberedEvent => ({
  number: 7,
  id: '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44',
  organizationId: 'organization' as OrganizationId,
  accountId: 'account' as AccountId,
  eventType: 'payment_request',
  paymentRequestId: 'request' as PaymentRequestId,
  occurredAt: new Date('2030-01-31T12:00:00Z'),
  body: '{"data":{"status":"underpaid"}}',
  underpaymentAccepted: true,
  ...changes,
});

describe('The message of an event', () => {
  it('has a subject and key by organization and account, the original body, and attributes', () => {
    expect(buildBrokerMessage(event(), 'https://pay.example', '00-ab-cd-01')).toEqual({
      id: event().id,
      aggregateId: 'request',
      subject: 'organization.account.payment_request',
      key: 'organization.account.request',
      attributes: {
        specversion: '1.0',
        id: event().id,
        source: 'https://pay.example',
        type: 'payment_request',
        subject: 'request',
        time: '2030-01-31T12:00:00.000Z',
        organizationid: 'organization',
        accountid: 'account',
        fulfilled: 'true',
        traceparent: '00-ab-cd-01',
      },
      body: event().body,
    });
  });

  it.each([
    ['settlement', '{"data":{"settlement_id":"settled"}}', 'settled'],
    ['subscription', '{"data":{"subscription_id":"subscribed"}}', 'subscribed'],
  ] as const)(
    'has the key of its %s, without the attribute of a fulfilled request',
    (eventType, body, aggregateId) => {
      const message = buildBrokerMessage(event({ eventType, body, paymentRequestId: null }), '');

      expect(message).toMatchObject({ aggregateId, key: `organization.account.${aggregateId}` });
      expect(message.attributes).not.toHaveProperty('fulfilled');
    },
  );
});

describe('A wave of messages', () => {
  it('contains at most one message of each aggregate, in order', () => {
    const sent = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2'].map(
      (id) => ({ id, aggregateId: id[0]! }) as BrokerMessage,
    );

    expect(groupConcurrentMessages(sent).map((wave) => wave.map(({ id }) => id))).toEqual([
      ['a1', 'b1', 'c1'],
      ['a2', 'b2'],
      ['a3'],
    ]);
    expect(groupConcurrentMessages([])).toEqual([]);
  });
});
