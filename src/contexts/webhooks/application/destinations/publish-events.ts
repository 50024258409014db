import { PublishingFailed } from '#contexts/webhooks/domain/destinations/event-destination.js';
import {
  buildEventMessage,
  type EventMessage,
  type NumberedEvent,
} from '#contexts/webhooks/domain/destinations/event-message.js';

/** A connection to a destination's message broker. Connects when it is first used. */
export abstract class EventBroker {
  /**
   * Publishes messages. Messages of one aggregate stay in order, even if the broker loses some of them.
   * @param acknowledged called with the id of each message that the broker has stored
   * @throws PublishingFailed if the broker has not stored all messages
   */
  abstract publish(messages: readonly EventMessage[], acknowledged: (id: string) => void): Promise<void>;
  abstract close(): Promise<void>;
}

/** A destination's checkpoint in the event log of all merchants. */
export interface DestinationCheckpoint {
  readonly number: number;
  readonly replays: number;
}

export interface UnpublishedEvents {
  readonly position: DestinationCheckpoint;
  /** In the order of the event log. */
  readonly events: readonly NumberedEvent[];
}

export interface DestinationCheckpoints {
  /** The events after the destination's checkpoint, at most `limit`. */
  following(name: string, limit: number): Promise<UnpublishedEvents>;
  /** Advances the checkpoint from `from` to `number`. @returns false if another process has changed the checkpoint */
  move(name: string, from: DestinationCheckpoint, number: number): Promise<boolean>;
  /** Records why publishing to the destination failed. Null clears the recorded failure. */
  report(name: string, failed: PublishingFailed | null): Promise<void>;
}

/** Maximum number of events that are read together and published concurrently. */
export const MAX_EVENTS_PUBLISHED_TOGETHER = 200;

/**
 * Publishes the events after the checkpoint of a destination. The checkpoint advances only past events that the broker
 * has acknowledged together with all earlier events. After a crash, events after the checkpoint are published again
 * with the same ids.
 */
export class PublishEvents {
  /**
   * Events after the checkpoint that the broker has acknowledged. Only the failed events before them are published
   * again.
   */
  private readonly acknowledged = new Set<string>();
  private position: DestinationCheckpoint | undefined;
  private isFailing = true;

  constructor(
    private readonly name: string,
    private readonly source: string,
    private readonly positions: DestinationCheckpoints,
    private readonly broker: EventBroker,
  ) {}

  /** @returns true if there may be more events @throws PublishingFailed after recording the failure */
  async publish(traceparent?: string): Promise<boolean> {
    const { position, events } = await this.positions.following(this.name, MAX_EVENTS_PUBLISHED_TOGETHER);
    this.forgetAcknowledgedIfMoved(position);
    const failed = await this.publishBatch(events, traceparent);
    await this.advancePastAcknowledged(events, position);
    if (failed !== null || this.isFailing) await this.positions.report(this.name, failed);
    this.isFailing = failed !== null;
    if (failed !== null) throw failed;
    return events.length === MAX_EVENTS_PUBLISHED_TOGETHER;
  }

  /** Forgets the acknowledged events if another process or a replay has moved the checkpoint. */
  private forgetAcknowledgedIfMoved(position: DestinationCheckpoint): void {
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
    const messages = missing.map((event) => buildEventMessage(event, this.source, traceparent));
    try {
      await this.broker.publish(messages, (id) => this.acknowledged.add(id));
      return null;
    } catch (error) {
      if (error instanceof PublishingFailed) return error;
      throw error;
    }
  }

  private async advancePastAcknowledged(
    events: readonly NumberedEvent[],
    from: DestinationCheckpoint,
  ): Promise<void> {
    const end = events.findIndex(({ id }) => !this.acknowledged.has(id));
    const done = end === -1 ? events : events.slice(0, end);
    const last = done.at(-1);
    if (last === undefined || !(await this.positions.move(this.name, from, last.number))) return;
    this.position = { ...from, number: last.number };
    for (const { id } of done) this.acknowledged.delete(id);
  }
}
