import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '../../../../shared/kernel/domain-event.js';
import { EventSubscriber } from '../../../../shared/platform/event-log/event-subscriber.js';
import { PostMovements } from '../../application/post-movements.js';
import { POSTED_EVENTS, LEDGER_SUBSCRIBER, toMovement, type PostedEvent } from './posted-events.js';

/** Posts what payments tells of money at deposit addresses, a batch at a time, in the transaction that moves its position. */
@Injectable()
export class LedgerSubscriber extends EventSubscriber {
  override readonly name = LEDGER_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = POSTED_EVENTS;

  constructor(private readonly postMovements: PostMovements) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    await this.postMovements.execute((events as readonly PublishedEvent<PostedEvent>[]).map(toMovement));
  }
}
