import { PublishingFailed } from '#contexts/webhooks/domain/destinations/event-destination.js';
import {
  messageOf,
  type EventMessage,
  type NumberedEvent,
} from '#contexts/webhooks/domain/destinations/event-message.js';

/** A connection to one destination's broker, which opens itself where it is needed. */
export abstract class EventBroker {
  /**
   * Publishes in such a way that the messages of one aggregate keep their order, also where some are lost.
   * @param acknowledged called with the id of each message that the broker has stored
   * @throws PublishingFailed where it has not stored all
   */
  abstract publish(messages: readonly EventMessage[], acknowledged: (id: string) => void): Promise<void>;
  abstract close(): Promise<void>;
}

/** A destination's place in the log of all merchants. */
export interface DestinationPosition {
  readonly number: number;
  readonly replays: number;
}

export interface UnpublishedEvents {
  readonly position: DestinationPosition;
  /** In the order of the log. */
  readonly events: readonly NumberedEvent[];
}

export interface DestinationPositions {
  /** The events behind its position, at most so many. */
  following(name: string, limit: number): Promise<UnpublishedEvents>;
  /** Moves it to a later number, unless it has been moved meanwhile. @returns whether it was */
  move(name: string, from: DestinationPosition, number: number): Promise<boolean>;
  /** Records the fault, or that there is none any more. */
  report(name: string, failed: PublishingFailed | null): Promise<void>;
}

/** Events that are read, and on their way, at a time. */
export const PUBLISHED_AT_ONCE = 200;

/**
 * Publishes the events that one destination lacks. The position moves behind events that the broker has acknowledged with all
 * before them; whatever crashes before then is published again, under the same id.
 */
export class PublishEvents {
  /** Acknowledged events behind the position, each at most once published by this process while an earlier one fails. */
  private readonly acknowledged = new Set<string>();
  private position: DestinationPosition | undefined;
  private isFailing = true;

  constructor(
    private readonly name: string,
    private readonly source: string,
    private readonly positions: DestinationPositions,
    private readonly broker: EventBroker,
  ) {}

  /** @returns true where there may be more @throws PublishingFailed, once it is recorded */
  async publish(traceparent?: string): Promise<boolean> {
    const { position, events } = await this.positions.following(this.name, PUBLISHED_AT_ONCE);
    this.startFrom(position);
    const failed = await this.publishBatch(events, traceparent);
    await this.moveBehind(events, position);
    if (failed !== null || this.isFailing) await this.positions.report(this.name, failed);
    this.isFailing = failed !== null;
    if (failed !== null) throw failed;
    return events.length === PUBLISHED_AT_ONCE;
  }

  /** Another process, or a replay, may have moved the position: then nothing is known of what lies behind it. */
  private startFrom(position: DestinationPosition): void {
    const { number, replays } = this.position ?? {};
    if (number !== position.number || replays !== position.replays) this.acknowledged.clear();
    this.position = position;
  }

  private async publishBatch(
    events: readonly NumberedEvent[],
    traceparent?: string,
  ): Promise<PublishingFailed | null> {
    const missing = events.filter(({ id }) => !this.acknowledged.has(id));
    if (missing.length === 0) return null;
    const messages = missing.map((event) => messageOf(event, this.source, traceparent));
    try {
      await this.broker.publish(messages, (id) => this.acknowledged.add(id));
      return null;
    } catch (error) {
      if (error instanceof PublishingFailed) return error;
      throw error;
    }
  }

  private async moveBehind(events: readonly NumberedEvent[], from: DestinationPosition): Promise<void> {
    const end = events.findIndex(({ id }) => !this.acknowledged.has(id));
    const done = end === -1 ? events : events.slice(0, end);
    const last = done.at(-1);
    if (last === undefined || !(await this.positions.move(this.name, from, last.number))) return;
    this.position = { ...from, number: last.number };
    for (const { id } of done) this.acknowledged.delete(id);
  }
}
