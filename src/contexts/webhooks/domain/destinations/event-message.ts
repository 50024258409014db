import { isFulfilled, type MerchantEvent } from '../events/merchant-events.js';

/** An event with its number in the log of all merchants. */
export type NumberedEvent = MerchantEvent & { readonly number: number };

/** An event as published to a broker. The adapter of each broker encodes it for its protocol. */
export interface EventMessage {
  /** Id of the event, the same each time the event is published. */
  readonly id: string;
  /** Id of the aggregate. Messages of the same aggregate are published in order. */
  readonly aggregateId: string;
  /** Subject in NATS, without the prefix of the destination. */
  readonly subject: string;
  /** Record key in Kafka, which determines the partition. */
  readonly key: string;
  /** CloudEvents 1.0 attributes of the message. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Builds the message of an event. The NATS subject does not contain the aggregate's id, because a NATS server keeps
 * every subject of a stream in memory.
 * @param source public origin of this service
 * @param traceparent W3C Trace Context of the publication, if it is traced
 */
export function buildEventMessage(event: NumberedEvent, source: string, traceparent?: string): EventMessage {
  const { id, organizationId, accountId, eventType, body } = event;
  const aggregateId = aggregateIdOf(event);
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

function aggregateIdOf({ paymentRequestId, accountId, body }: MerchantEvent): string {
  if (paymentRequestId !== null) return paymentRequestId;
  const { data } = JSON.parse(body) as { data: { settlement_id?: string; subscription_id?: string } };
  return data.settlement_id ?? data.subscription_id ?? accountId;
}

/**
 * Groups messages that may be published concurrently. Each group has at most one message per aggregate, so that no
 * message can overtake an earlier message of its aggregate that the broker loses.
 */
export function groupConcurrentMessages(messages: readonly EventMessage[]): EventMessage[][] {
  const waves: EventMessage[][] = [];
  const places = new Map<string, number>();
  for (const message of messages) {
    const place = places.get(message.aggregateId) ?? 0;
    places.set(message.aggregateId, place + 1);
    (waves[place] ??= []).push(message);
  }
  return waves;
}
