import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { Deliveries } from '../../domain/delivery/deliveries.js';
import type { WebhookEventType } from '../../domain/registration/webhook.js';
import { bodyOf, type DeliveredNotice, isNotified } from '../events/merchant-notice.js';

/** Queues one delivery per status change and subscribed webhook, in the caller's unit of work; a fixed number of statements. */
@Injectable()
export class QueueDeliveries {
  constructor(private readonly deliveries: Deliveries) {}

  async execute(changes: readonly DeliveredNotice[]): Promise<void> {
    await this.queue(changes, 'payment_request');
    await this.queue(changes, 'refund');
  }

  private async queue(changes: readonly DeliveredNotice[], eventType: WebhookEventType): Promise<void> {
    const notified = new Map(
      changes
        .filter((change) => change.eventType === eventType && isNotified(change))
        .map((change) => [change.eventId, change]),
    );
    if (notified.size === 0) return;
    const subscriptions = await this.deliveries.subscriptions([...notified.keys()], eventType);
    await this.deliveries.queue(
      subscriptions.map(({ eventId, webhookId }) => {
        const change = notified.get(eventId)!;
        const { organizationId, accountId, paymentRequestId } = change;
        const body = bodyOf(change);
        return {
          id: newId(),
          organizationId,
          accountId,
          webhookId,
          eventId,
          eventType,
          paymentRequestId,
          body,
        };
      }),
    );
  }
}
