import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { toMerchantEvents, MERCHANT_EVENT_SOURCE_TYPES } from '../../application/events/notifications.js';
import { Deliveries } from './persistence/deliveries.js';
import { MERCHANT_EVENTS_SUBSCRIBER, MerchantEvents } from '../events/persistence/merchant-events.js';

/** Reads the event log from its beginning, for the events API, brokers and replays. */
@Injectable()
export class MerchantEventsSubscriber extends EventSubscriber {
  override readonly name = MERCHANT_EVENTS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = MERCHANT_EVENT_SOURCE_TYPES;

  constructor(
    private readonly merchantEvents: MerchantEvents,
    private readonly deliveries: Deliveries,
  ) {
    super();
  }

  override async apply(published: readonly PublishedEvent[]): Promise<void> {
    const events = toMerchantEvents(published);
    await this.merchantEvents.record(events);
    await this.deliveries.queueEvents(events);
  }
}
