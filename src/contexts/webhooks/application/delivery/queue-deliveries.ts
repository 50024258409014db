import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { Deliveries } from '../../domain/delivery/deliveries.js';
import type { MerchantEvent } from '../../domain/events/merchant-events.js';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../domain/registration/webhook.js';

/** Queues one delivery per merchant event and subscribed webhook, in the caller's unit of work; a fixed number of statements. */
@Injectable()
export class QueueDeliveries {
  constructor(private readonly deliveries: Deliveries) {}

  async execute(events: readonly MerchantEvent[]): Promise<void> {
    for (const eventType of WEBHOOK_EVENT_TYPES) await this.queue(events, eventType);
  }

  private async queue(events: readonly MerchantEvent[], eventType: WebhookEventType): Promise<void> {
    const byId = new Map(
      events.filter((event) => event.eventType === eventType).map((event) => [event.id, event]),
    );
    if (byId.size === 0) return;
    const subscriptions = await this.deliveries.subscriptions([...byId.keys()], eventType);
    await this.deliveries.queue(
      subscriptions.map(({ eventId, webhookId }) => {
        const { organizationId, accountId, paymentRequestId, body } = byId.get(eventId)!;
        return {
          id: newId(),
          organizationId,
          accountId,
          webhookId,
          eventId,
          eventType,
          paymentRequestId: paymentRequestId!,
          body,
        };
      }),
    );
  }
}
