import { Injectable } from '@nestjs/common';
import { newId } from '../../../../shared/kernel/ids.js';
import { Deliveries } from '../../domain/delivery/deliveries.js';
import { notificationBody } from '../../domain/events/payment-request-notification.js';
import { isNotified, type StatusChange } from '../events/merchant-notice.js';

/** Queues one delivery per status change and subscribed webhook, in the caller's unit of work; a fixed number of statements. */
@Injectable()
export class QueueDeliveries {
  constructor(private readonly deliveries: Deliveries) {}

  async execute(changes: readonly StatusChange[]): Promise<void> {
    const notified = new Map(changes.filter(isNotified).map((change) => [change.eventId, change]));
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
