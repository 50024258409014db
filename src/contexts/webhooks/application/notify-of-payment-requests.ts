import { Injectable } from '@nestjs/common';
import {
  newId,
  type AccountId,
  type OrganizationId,
  type PaymentRequestId,
} from '../../../shared/kernel/ids.js';
import { Deliveries } from '../domain/deliveries.js';
import {
  NOTIFIED_STATUSES,
  notificationBody,
  type PaymentRequestNotice,
} from '../domain/payment-request-notification.js';

export interface StatusChange extends PaymentRequestNotice {
  readonly eventId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
}

/** Queues one delivery per status change and subscribed webhook, in the caller's unit of work; a fixed number of statements. */
@Injectable()
export class NotifyOfPaymentRequests {
  constructor(private readonly deliveries: Deliveries) {}

  async execute(changes: readonly StatusChange[]): Promise<void> {
    const notified = new Map(
      changes
        .filter(({ status }) => NOTIFIED_STATUSES.includes(status))
        .map((change) => [change.eventId, change]),
    );
    if (notified.size === 0) return;
    const subscriptions = await this.deliveries.subscriptions([...notified.keys()], 'payment_request');
    await this.deliveries.queue(
      subscriptions.map(({ eventId, webhookId }) => {
        const change = notified.get(eventId)!;
        const { organizationId, accountId, paymentRequestId } = change;
        const body = notificationBody(change);
        return {
          id: newId(),
          organizationId,
          accountId,
          webhookId,
          eventId,
          eventType: 'payment_request',
          paymentRequestId,
          body,
        };
      }),
    );
  }
}
