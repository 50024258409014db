import type { PublishedEvent } from '../../../../../shared/kernel/domain-event.js';
import type { PaymentRequestId } from '../../../../../shared/kernel/ids.js';
import type { PaymentRequestStatusChanged } from '../../../../payments/contract/payment-request-events.js';
import type { StatusChange } from '../../../application/events/status-change.js';

export const STATUS_CHANGED: readonly PaymentRequestStatusChanged['type'][] = [
  'payment_request.status_changed',
];

/** @param events of the types in `STATUS_CHANGED` */
export function statusChanges(events: readonly PublishedEvent[]): StatusChange[] {
  return (events as readonly PublishedEvent<PaymentRequestStatusChanged>[]).map(toChange);
}

export function toChange(event: PublishedEvent<PaymentRequestStatusChanged>): StatusChange {
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
    ...(referenceId === undefined ? {} : { externalReferenceId: referenceId }),
  };
}
