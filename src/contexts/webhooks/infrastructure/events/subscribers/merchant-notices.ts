import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestStatusChanged,
} from '#contexts/payments/contract/payment-request-events.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';
import type { SubscriptionStatusChanged } from '#contexts/subscriptions/contract/subscription-events.js';
import type {
  DeliveredNotice,
  MerchantNotice,
  StatusChange,
} from '#contexts/webhooks/application/events/merchant-notice.js';

type DeliveredEvent = PaymentRequestStatusChanged | RefundStatusChanged;

export const STATUS_CHANGED: readonly DeliveredEvent['type'][] = [
  'payment_request.status_changed',
  'refund.status_changed',
];

/** @param events of the types in `STATUS_CHANGED` */
export function statusChanges(events: readonly PublishedEvent[]): DeliveredNotice[] {
  return (events as readonly PublishedEvent<DeliveredEvent>[]).map(toDelivered);
}

export type NoticedEvent =
  | DeliveredEvent
  | PaymentRequestDepositReceived
  | PaymentRequestCreditReversed
  | SettlementStatusChanged
  | SubscriptionStatusChanged;

export const NOTICED_EVENTS: readonly NoticedEvent['type'][] = [
  ...STATUS_CHANGED,
  'payment_request.deposit_received',
  'payment_request.credit_reversed',
  'settlement.status_changed',
  'subscription.status_changed',
];

export function toNotice(event: PublishedEvent<NoticedEvent>): MerchantNotice {
  switch (event.type) {
    case 'payment_request.status_changed':
    case 'refund.status_changed':
      return toDelivered(event);
    case 'payment_request.deposit_received':
      return {
        ...ofTransfer(event),
        eventType: 'deposit',
        amount: BigInt(event.data.amount),
        reason: event.data.reason,
        gathered: event.data.gathered,
      };
    case 'payment_request.credit_reversed':
      return {
        ...ofTransfer(event),
        eventType: 'adjustment',
        reverses: event.data.postedAs,
        before: BigInt(event.data.before),
        after: BigInt(event.data.after),
      };
    case 'settlement.status_changed':
      return ofSettlement(event);
    case 'subscription.status_changed':
      return ofSubscription(event);
  }
}

function toDelivered(event: PublishedEvent<DeliveredEvent>): DeliveredNotice {
  if (event.type === 'payment_request.status_changed')
    return { ...toStatusChange(event), eventType: 'payment_request' };
  const { id, aggregateId, organizationId, accountId, occurredAt, data } = event;
  return {
    ...{ eventId: id, organizationId, accountId, occurredAt, eventType: 'refund' },
    ...{ refundId: aggregateId, status: data.status, pointOfSaleId: data.pointOfSaleId },
    paymentRequestId: data.paymentRequestId as PaymentRequestId,
  };
}

function ofSettlement(event: PublishedEvent<SettlementStatusChanged>): MerchantNotice {
  const { id, aggregateId, organizationId, accountId, occurredAt, data } = event;
  const { status, network, uniqueAssetId, currency, decimals, transactionHash, addresses } = data;
  return {
    ...{ eventId: id, organizationId, accountId, occurredAt, eventType: 'settlement' },
    ...{ settlementId: aggregateId, status, network, uniqueAssetId, currency, decimals, transactionHash },
    amount: BigInt(data.amount),
    feeAmount: BigInt(data.feeAmount),
    settlementAddress: addressForPeople(data.settlementAddress),
    paymentCount: new Set(addresses.map(({ paymentRequestId }) => paymentRequestId)).size,
  };
}

function ofSubscription(event: PublishedEvent<SubscriptionStatusChanged>): MerchantNotice {
  const { id, aggregateId, organizationId, accountId, occurredAt, data } = event;
  return {
    ...{ eventId: id, organizationId, accountId, occurredAt, eventType: 'subscription' },
    ...{ ...data, subscriptionId: aggregateId, amount: BigInt(data.amount) },
  };
}

function toStatusChange(event: PublishedEvent<PaymentRequestStatusChanged>): StatusChange {
  const { status, paymentRequestType, pointOfSaleId, referenceId } = event.data;
  return {
    eventId: event.id,
    organizationId: event.organizationId,
    accountId: event.accountId,
    paymentRequestId: event.aggregateId as PaymentRequestId,
    occurredAt: event.occurredAt,
    paymentRequestType,
    status,
    pointOfSaleId,
    externalReferenceId: referenceId,
  };
}

function ofTransfer(event: PublishedEvent<PaymentRequestDepositReceived | PaymentRequestCreditReversed>) {
  const { id, organizationId, accountId, aggregateId, occurredAt, data } = event;
  const { network, uniqueAssetId, currency, decimals, pointOfSaleId, referenceId, transactionHash } = data;
  return {
    ...{ eventId: id, organizationId, accountId, occurredAt, pointOfSaleId },
    paymentRequestId: aggregateId as PaymentRequestId,
    ...{ network, uniqueAssetId, currency, decimals, address: addressForPeople(data.to), transactionHash },
    externalReferenceId: referenceId,
  };
}
