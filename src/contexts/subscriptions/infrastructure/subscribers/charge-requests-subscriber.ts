import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/event-subscriber.js';
import { FollowChargeRequests } from '../../application/follow-charge-requests.js';
import {
  CHARGE_REQUEST_EVENTS,
  CHARGE_REQUESTS_SUBSCRIBER,
  toRequestFact,
  type ChargeRequestEvent,
} from './request-facts.js';

/** What payments publishes of payment requests, a batch at a time, in the transaction that moves the position. */
@Injectable()
export class ChargeRequestsSubscriber extends EventSubscriber {
  override readonly name = CHARGE_REQUESTS_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = CHARGE_REQUEST_EVENTS;

  constructor(private readonly follow: FollowChargeRequests) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    const facts = (events as readonly PublishedEvent<ChargeRequestEvent>[]).flatMap(toRequestFact);
    if (facts.length > 0) await this.follow.execute(facts);
  }
}
