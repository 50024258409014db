import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { DELIVERED_EVENTS, merchantEvents } from '../../application/events/notifications.js';
import { PostgresDeliveries } from './persistence/postgres-deliveries.js';

@Injectable()
export class WebhooksSubscriber extends EventSubscriber {
  override readonly name = 'webhooks';
  override readonly eventTypes: readonly string[] = DELIVERED_EVENTS;

  constructor(private readonly deliveries: PostgresDeliveries) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.deliveries.queueEvents(merchantEvents(events));
  }
}
