import { Injectable } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { FollowSources } from '../../application/follow-sources.js';
import { PostMovements } from '../../application/post-movements.js';
import { FOLLOWED_EVENTS, toSourceEvent, type FollowedEvent } from './followed-events.js';
import { POSTED_EVENTS, LEDGER_SUBSCRIBER, toMovement, type PostedEvent } from './posted-events.js';

/** A single subscriber, so that incoming and outgoing funds are booked in the order of their events. */
@Injectable()
export class LedgerSubscriber extends EventSubscriber {
  override readonly name = LEDGER_SUBSCRIBER;
  override readonly eventTypes: readonly string[] = [...POSTED_EVENTS, ...FOLLOWED_EVENTS];

  constructor(
    private readonly postMovements: PostMovements,
    private readonly followSources: FollowSources,
  ) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    for (const run of groupByKind(events)) {
      if (isFollowed(run[0]!)) {
        const sources = (run as PublishedEvent<FollowedEvent>[]).map(toSourceEvent);
        await this.followSources.follow(sources.filter((source) => source !== null));
      } else {
        await this.postMovements.post((run as PublishedEvent<PostedEvent>[]).map(toMovement));
      }
    }
  }
}

function isFollowed({ type }: PublishedEvent): boolean {
  return (FOLLOWED_EVENTS as readonly string[]).includes(type);
}

function groupByKind(events: readonly PublishedEvent[]): PublishedEvent[][] {
  const runs: PublishedEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run !== undefined && isFollowed(run[0]!) === isFollowed(event)) run.push(event);
    else runs.push([event]);
  }
  return runs;
}
