import { notificationBody } from '../../domain/events/payment-request-notification.js';
import {
  adjustmentBody,
  depositBody,
  type DepositNotice,
  type ReversalNotice,
} from '../../domain/events/transfer-notification.js';
import { isNotified, type News, type StatusChange } from './status-change.js';

/** What an event of the event log tells that a merchant may want to know. */
export type MerchantNews =
  | (StatusChange & { readonly eventType: 'payment_request' })
  | (DepositNotice & News & { readonly eventType: 'deposit' })
  | (ReversalNotice & News & { readonly eventType: 'adjustment' });

/** Whether the merchant is told of it. */
export function isTold(news: MerchantNews): boolean {
  return news.eventType !== 'payment_request' || isNotified(news);
}

/** Canonical JSON. */
export function bodyOf(news: MerchantNews): string {
  switch (news.eventType) {
    case 'payment_request':
      return notificationBody(news);
    case 'deposit':
      return depositBody(news);
    case 'adjustment':
      return adjustmentBody(news);
  }
}
