import { canonicalJson } from '#shared/kernel/canonical-json.js';
import type { DomainEvent, PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  PaymentRequestAcceptedAsPaid,
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestIncomingTransferChanged,
  PaymentRequestStatusChanged,
} from '#contexts/payments/contract/payment-request-events.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import type { SubscriptionStatusChanged } from '#contexts/subscriptions/contract/subscription-events.js';
import type { MerchantEvent, MerchantEventType } from '../../domain/events/merchant-events.js';
import type { WebhookBodyFields, WebhookBodySource } from './body-fields.js';
import {
  ADJUSTMENT_FIELDS,
  DEPOSIT_FIELDS,
  INCOMING_TRANSFER_FIELDS,
  NOTIFIED_PAYMENT_REQUEST_STATUSES,
  PAYMENT_REQUEST_FIELDS,
} from './payment-request-bodies.js';
import {
  NOTIFIED_REFUND_STATUSES,
  NOTIFIED_SETTLEMENT_STATUSES,
  REFUND_FIELDS,
  SETTLEMENT_FIELDS,
} from './settlement-bodies.js';
import { SUBSCRIPTION_FIELDS } from './subscription-bodies.js';

export type MerchantEventSource =
  | PaymentRequestStatusChanged
  | PaymentRequestAcceptedAsPaid
  | PaymentRequestDepositReceived
  | PaymentRequestCreditReversed
  | PaymentRequestIncomingTransferChanged
  | RefundStatusChanged
  | SettlementStatusChanged
  | SubscriptionStatusChanged;

interface Notification<Event extends DomainEvent> {
  readonly eventType: MerchantEventType;
  /** Part of the OpenAPI names `<schema>Notification` (body) and `<schema>Notice` (`data`). */
  readonly schema: string;
  /** Absent if merchants are notified of all events of this type. */
  readonly statuses?: readonly string[];
  /** Null for a settlement, which covers many payment requests, and for a subscription. */
  paymentRequest(event: WebhookBodySource<Event>): string | null;
  readonly fields: WebhookBodyFields<Event>;
}

export const MERCHANT_EVENT_DEFINITIONS: {
  readonly [Type in MerchantEventSource['type']]: Notification<
    Extract<MerchantEventSource, { readonly type: Type }>
  >;
} = {
  'payment_request.status_changed': {
    eventType: 'payment_request',
    schema: 'PaymentRequest',
    statuses: NOTIFIED_PAYMENT_REQUEST_STATUSES,
    paymentRequest: ({ aggregateId }) => aggregateId,
    fields: PAYMENT_REQUEST_FIELDS,
  },
  'payment_request.accepted_as_paid': {
    eventType: 'payment_request',
    schema: 'PaymentRequest',
    paymentRequest: ({ aggregateId }) => aggregateId,
    fields: PAYMENT_REQUEST_FIELDS,
  },
  'payment_request.deposit_received': {
    eventType: 'deposit',
    schema: 'Deposit',
    paymentRequest: ({ aggregateId }) => aggregateId,
    fields: DEPOSIT_FIELDS,
  },
  'payment_request.credit_reversed': {
    eventType: 'adjustment',
    schema: 'Adjustment',
    paymentRequest: ({ aggregateId }) => aggregateId,
    fields: ADJUSTMENT_FIELDS,
  },
  'payment_request.incoming_transfer_changed': {
    eventType: 'incoming_transfer',
    schema: 'IncomingTransfer',
    paymentRequest: ({ aggregateId }) => aggregateId,
    fields: INCOMING_TRANSFER_FIELDS,
  },
  'refund.status_changed': {
    eventType: 'refund',
    schema: 'Refund',
    statuses: NOTIFIED_REFUND_STATUSES,
    paymentRequest: ({ data }) => data.paymentRequestId,
    fields: REFUND_FIELDS,
  },
  'settlement.status_changed': {
    eventType: 'settlement',
    schema: 'Settlement',
    statuses: NOTIFIED_SETTLEMENT_STATUSES,
    paymentRequest: () => null,
    fields: SETTLEMENT_FIELDS,
  },
  'subscription.status_changed': {
    eventType: 'subscription',
    schema: 'Subscription',
    paymentRequest: () => null,
    fields: SUBSCRIPTION_FIELDS,
  },
};

export const MERCHANT_EVENT_SOURCE_TYPES = Object.keys(
  MERCHANT_EVENT_DEFINITIONS,
) as MerchantEventSource['type'][];

/** Canonical JSON, exactly as sent and signed. */
export function serializeMerchantEventBody(event: WebhookBodySource<MerchantEventSource>): string {
  const fields = Object.entries(notificationOf(event).fields);
  return canonicalJson({
    data: Object.fromEntries(fields.map(([name, [, valueOf]]) => [name, valueOf(event)])),
  });
}

export function toMerchantEvents(events: readonly PublishedEvent[]): MerchantEvent[] {
  return (events as readonly PublishedEvent<MerchantEventSource>[]).flatMap((event) => {
    const { id, organizationId, accountId, occurredAt, data } = event;
    const { eventType, statuses, paymentRequest } = notificationOf(event);
    if (statuses !== undefined && 'status' in data && !statuses.includes(data.status)) return [];
    const paymentRequestId = paymentRequest(event) as PaymentRequestId | null;
    const body = serializeMerchantEventBody(event);
    const underpaymentAccepted = 'underpaymentAccepted' in data;
    const owner = { organizationId, accountId };
    return [{ id, ...owner, eventType, paymentRequestId, occurredAt, body, underpaymentAccepted }];
  });
}

function notificationOf({ type }: WebhookBodySource<MerchantEventSource>): Notification<MerchantEventSource> {
  return MERCHANT_EVENT_DEFINITIONS[type];
}
