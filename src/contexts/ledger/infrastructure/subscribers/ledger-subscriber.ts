import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { PostSourceEvents } from '../../application/post-source-events.js';
import { PostMovements } from '../../application/post-movements.js';
import { SOURCE_EVENT_TYPES, toSourceEvent, type PublishedSourceEvent } from './source-event-types.js';
import {
  MOVEMENT_EVENT_TYPES,
  LEDGER_SUBSCRIBER,
  toMovement,
  type PublishedMovementEvent,
} from './movement-event-types.js';

/** A single subscriber, so that incoming and outgoing funds are booked in the order of their events. */
@Injectable()
export class LedgerSubscriber extends EventSubscriber {
  override readonly name = LEDGER_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = [...MOVEMENT_EVENT_TYPES, ...SOURCE_EVENT_TYPES];

  constructor(
    private readonly postMovements: PostMovements,
    private readonly postSourceEvents: PostSourceEvents,
  ) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    for (const run of groupByKind(events)) {
      if (isSourceEvent(run[0]!)) {
        const sources = (run as PublishedEvent<PublishedSourceEvent>[]).map(toSourceEvent);
        await this.postSourceEvents.post(sources.filter((source) => source !== null));
      } else {
        await this.postMovements.post((run as PublishedEvent<PublishedMovementEvent>[]).map(toMovement));
      }
    }
  }
}

function isSourceEvent({ type }: PublishedEvent): boolean {
  return (SOURCE_EVENT_TYPES as readonly string[]).includes(type);
}

function groupByKind(events: readonly PublishedEvent[]): PublishedEvent[][] {
  const runs: PublishedEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run !== undefined && isSourceEvent(run[0]!) === isSourceEvent(event)) run.push(event);
    else runs.push([event]);
  }
  return runs;
}
