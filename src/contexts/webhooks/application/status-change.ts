import type { AccountId, OrganizationId, PaymentRequestId } from '../../../shared/kernel/ids.js';
import { NOTIFIED_STATUSES, type PaymentRequestNotice } from '../domain/payment-request-notification.js';

/** A payment request's new status, as an event of the event log tells it. */
export interface StatusChange extends PaymentRequestNotice {
  readonly eventId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly occurredAt: Date;
}

/** Those that merchants are told of, in the same order. */
export function notified(changes: readonly StatusChange[]): StatusChange[] {
  return changes.filter(({ status }) => NOTIFIED_STATUSES.includes(status));
}
