import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/event-subscriber.js';
import { RecordMerchantEvents } from '#contexts/webhooks/application/events/record-merchant-events.js';
import { MERCHANT_EVENTS_SUBSCRIBER } from '../persistence/postgres-merchant-events.js';
import { NOTICED_EVENTS, toNotice, type NoticedEvent } from './merchant-notices.js';

/** Records merchants' events, from the beginning of the event log. */
@Injectable()
export class MerchantEventsSubscriber extends EventSubscriber {
  override readonly name = MERCHANT_EVENTS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = NOTICED_EVENTS;

  constructor(private readonly record: RecordMerchantEvents) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.record.execute((events as readonly PublishedEvent<NoticedEvent>[]).map(toNotice));
  }
}
