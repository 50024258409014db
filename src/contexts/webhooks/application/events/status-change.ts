import type { AccountId, OrganizationId, PaymentRequestId } from '../../../../shared/kernel/ids.js';
import {
  NOTIFIED_STATUSES,
  type PaymentRequestNotice,
} from '../../domain/events/payment-request-notification.js';

/** Which event of the event log tells it, whose it is and when it happened. */
export interface News {
  readonly eventId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly occurredAt: Date;
}

/** A payment request's new status, as an event of the event log tells it. */
export type StatusChange = PaymentRequestNotice & News;

/** Whether merchants are told of the status. */
export function isNotified({ status }: StatusChange): boolean {
  return NOTIFIED_STATUSES.includes(status);
}
