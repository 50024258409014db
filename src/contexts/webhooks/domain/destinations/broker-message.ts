import { isPaymentRequestFulfilled, type MerchantEvent } from '../events/merchant-events.js';

export type NumberedEvent = MerchantEvent & { readonly number: number };

export interface BrokerMessage {
  readonly id: string;
  /** Messages of the same aggregate are published in order. */
  readonly aggregateId: string;
  readonly subject: string;
  readonly key: string;
  /** Attributes of CloudEvents 1.0. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The subject does not contain the aggregate's id, because a NATS server keeps every subject in memory. @param source
 * public origin @param traceparent W3C Trace Context
 */
export function buildBrokerMessage(
  event: NumberedEvent,
  source: string,
  traceparent?: string,
): BrokerMessage {
  const { id, organizationId, accountId, eventType, body } = event;
  const aggregateId = aggregateIdOf(event);
  const fulfilled = isPaymentRequestFulfilled(event);
  return {
    id,
    aggregateId,
    subject: `${organizationId}.${accountId}.${eventType}`,
    key: `${organizationId}.${accountId}.${aggregateId}`,
    attributes: {
      specversion: '1.0',
      id,
      source,
      type: eventType,
      subject: aggregateId,
      time: event.occurredAt.toISOString(),
      organizationid: organizationId,
      accountid: accountId,
      ...(fulfilled === undefined ? {} : { fulfilled: String(fulfilled) }),
      ...(traceparent === undefined ? {} : { traceparent }),
    },
    body,
  };
}

function aggregateIdOf({ paymentRequestId, accountId, body }: MerchantEvent): string {
  if (paymentRequestId !== null) return paymentRequestId;
  const { data } = JSON.parse(body) as { data: { settlement_id?: string; subscription_id?: string } };
  return data.settlement_id ?? data.subscription_id ?? accountId;
}

/** At most one message per aggregate in a group, so that none can overtake an earlier one that the broker loses. */
export function groupConcurrentMessages(messages: readonly BrokerMessage[]): BrokerMessage[][] {
  const waves: BrokerMessage[][] = [];
  const places = new Map<string, number>();
  for (const message of messages) {
    const place = places.get(message.aggregateId) ?? 0;
    places.set(message.aggregateId, place + 1);
    (waves[place] ??= []).push(message);
  }
  return waves;
}
