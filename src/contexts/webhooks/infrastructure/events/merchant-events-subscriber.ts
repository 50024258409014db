import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { merchantEvents, NOTIFIED_EVENTS } from '../../application/events/notifications.js';
import {
  MERCHANT_EVENTS_SUBSCRIBER,
  PostgresMerchantEvents,
} from './persistence/postgres-merchant-events.js';

/** Records merchant events for the events API and for replays. Starts at the beginning of the event log. */
@Injectable()
export class MerchantEventsSubscriber extends EventSubscriber {
  override readonly name = MERCHANT_EVENTS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = NOTIFIED_EVENTS;

  constructor(private readonly events: PostgresMerchantEvents) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.events.record(merchantEvents(events));
  }
}
