import { isFulfilled, type MerchantEvent } from '../events/merchant-events.js';

/** An event where it stands in the log of all merchants. */
export type NumberedEvent = MerchantEvent & { readonly number: number };

/** An event as brokers get it; each adapter spells the attributes as its protocol does. */
export interface EventMessage {
  /** The event's id: the same whenever it is published. */
  readonly id: string;
  /** Messages of one aggregate keep their order. */
  readonly aggregateId: string;
  /** NATS: the subject behind the prefix. */
  readonly subject: string;
  /** Kafka: the key, by which the partition is chosen. */
  readonly key: string;
  /** Attributes of CloudEvents 1.0. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * The subject has no id of an aggregate: a NATS server keeps an entry in memory for each subject of a stream.
 * @param source the origin of the service that publishes
 * @param traceparent W3C Trace Context of the publishing, where it is traced
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

/** The payment request, else the settlement or the subscription that the body names. */
function aggregateOf({ paymentRequestId, accountId, body }: MerchantEvent): string {
  if (paymentRequestId !== null) return paymentRequestId;
  const { data } = JSON.parse(body) as { data: { settlement_id?: string; subscription_id?: string } };
  return data.settlement_id ?? data.subscription_id ?? accountId;
}

/**
 * Messages that may be on their way together: no two of one aggregate, so that a broker which loses one of them cannot put it
 * behind a later one.
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
