import { Injectable } from '@nestjs/common';
import { newId } from '../../../../shared/kernel/ids.js';
import { Deliveries } from '../../domain/delivery/deliveries.js';
import { notificationBody } from '../../domain/events/payment-request-notification.js';
import { isNotified, type StatusChange } from '../events/status-change.js';

/** Queues one delivery per status change and subscribed webhook, in the caller's unit of work; a fixed number of statements. */
@Injectable()
export class NotifyOfPaymentRequests {
  constructor(private readonly deliveries: Deliveries) {}

  async execute(changes: readonly StatusChange[]): Promise<void> {
    const told = new Map(changes.filter(isNotified).map((change) => [change.eventId, change]));
    if (told.size === 0) return;
    const subscriptions = await this.deliveries.subscriptions([...told.keys()], 'payment_request');
    await this.deliveries.queue(
      subscriptions.map(({ eventId, webhookId }) => {
        const change = told.get(eventId)!;
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
