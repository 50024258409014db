import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import {
  NOTIFIED_STATUSES,
  notificationBody,
  type PaymentRequestNotice,
} from '../../domain/events/payment-request-notification.js';
import {
  NOTIFIED_REFUND_STATUSES,
  refundBody,
  type RefundNotice,
} from '../../domain/events/refund-notification.js';
import {
  NOTIFIED_SETTLEMENT_STATUSES,
  settlementBody,
  type SettlementNotice,
} from '../../domain/events/settlement-notification.js';
import { subscriptionBody, type SubscriptionNotice } from '../../domain/events/subscription-notification.js';
import {
  adjustmentBody,
  depositBody,
  type DepositNotice,
  type ReversalNotice,
} from '../../domain/events/transfer-notification.js';

/** The event of the event log that a notice was read from. */
export interface NoticeOrigin {
  readonly eventId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly occurredAt: Date;
}

type OfNoRequest = Omit<NoticeOrigin, 'paymentRequestId'>;

/** A payment request's new status. */
export type StatusChange = PaymentRequestNotice & NoticeOrigin;

/** A refund's new status. */
export type RefundChange = RefundNotice & NoticeOrigin;

/** A change that webhooks can be registered for. */
export type DeliveredNotice =
  | (StatusChange & { readonly eventType: 'payment_request' })
  | (RefundChange & { readonly eventType: 'refund' });

/** What an event of the event log says that may become a merchant event. */
export type MerchantNotice =
  | DeliveredNotice
  | (DepositNotice & NoticeOrigin & { readonly eventType: 'deposit' })
  | (ReversalNotice & NoticeOrigin & { readonly eventType: 'adjustment' })
  | (SettlementNotice & OfNoRequest & { readonly eventType: 'settlement' })
  | (SubscriptionNotice & OfNoRequest & { readonly eventType: 'subscription' });

/** Whether merchants are notified of the status. */
export function isNotified({ eventType, status }: DeliveredNotice): boolean {
  return (eventType === 'refund' ? NOTIFIED_REFUND_STATUSES : NOTIFIED_STATUSES).includes(status);
}

/** Whether the notice becomes a merchant event. */
export function isMerchantEvent(notice: MerchantNotice): boolean {
  switch (notice.eventType) {
    case 'settlement':
      return NOTIFIED_SETTLEMENT_STATUSES.includes(notice.status);
    case 'deposit':
    case 'adjustment':
    case 'subscription':
      return true;
    default:
      return isNotified(notice);
  }
}

/** Canonical JSON. */
export function bodyOf(notice: MerchantNotice): string {
  switch (notice.eventType) {
    case 'payment_request':
      return notificationBody(notice);
    case 'refund':
      return refundBody(notice);
    case 'deposit':
      return depositBody(notice);
    case 'adjustment':
      return adjustmentBody(notice);
    case 'settlement':
      return settlementBody(notice);
    case 'subscription':
      return subscriptionBody(notice);
  }
}
