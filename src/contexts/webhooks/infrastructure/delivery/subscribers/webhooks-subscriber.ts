import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { QueueDeliveries } from '#contexts/webhooks/application/delivery/queue-deliveries.js';
import { DELIVERED_EVENTS, merchantEvents } from '#contexts/webhooks/application/events/notifications.js';

/** Queues deliveries of status changes of payment requests and refunds, a batch at a time. */
@Injectable()
export class WebhooksSubscriber extends EventSubscriber {
  override readonly name = 'webhooks';
  override readonly eventTypes: readonly string[] = DELIVERED_EVENTS;

  constructor(private readonly queueDeliveries: QueueDeliveries) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.queueDeliveries.execute(merchantEvents(events));
  }
}
