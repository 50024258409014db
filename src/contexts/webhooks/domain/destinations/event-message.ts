import { isFulfilled, type MerchantEvent } from '../events/merchant-events.js';

/** An event with its number in the log of all merchants. */
export type NumberedEvent = MerchantEvent & { readonly number: number };

/** An event as published to a broker. Each adapter encodes the attributes for its protocol. */
export interface EventMessage {
  /** Id of the event. The same each time the event is published. */
  readonly id: string;
  /** The order of messages with the same aggregate is preserved. */
  readonly aggregateId: string;
  /** NATS: the subject, without the prefix. */
  readonly subject: string;
  /** Kafka: the key, which determines the partition. */
  readonly key: string;
  /** Attributes of CloudEvents 1.0. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The subject does not contain the aggregate's id, because a NATS server keeps an entry in memory per subject of a stream.
 * @param source origin of this service
 * @param traceparent W3C Trace Context of the publisher, if it is traced
 */
export function messageOf(event: NumberedEvent, source: string, traceparent?: string): EventMessage {
  const { id, organizationId, accountId, eventType, body } = event;
  const aggregateId = aggregateOf(event);
  const fulfilled = isFulfilled(event);
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

function aggregateOf({ paymentRequestId, accountId, body }: MerchantEvent): string {
  if (paymentRequestId !== null) return paymentRequestId;
  const { data } = JSON.parse(body) as { data: { settlement_id?: string; subscription_id?: string } };
  return data.settlement_id ?? data.subscription_id ?? accountId;
}

/**
 * Groups messages that can be in flight concurrently. Each group has at most one message per aggregate: if the broker loses a
 * message, a later one of the same aggregate cannot overtake it.
 */
export function wavesOf(messages: readonly EventMessage[]): EventMessage[][] {
  const waves: EventMessage[][] = [];
  const places = new Map<string, number>();
  for (const message of messages) {
    const place = places.get(message.aggregateId) ?? 0;
    places.set(message.aggregateId, place + 1);
    (waves[place] ??= []).push(message);
  }
  return waves;
}
