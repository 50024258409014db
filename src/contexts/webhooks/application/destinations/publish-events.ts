import { PublishingFailed } from '#contexts/webhooks/domain/destinations/event-destination.js';
import {
  buildBrokerMessage,
  type BrokerMessage,
  type NumberedEvent,
} from '#contexts/webhooks/domain/destinations/broker-message.js';

export abstract class EventBroker {
  /**
   * Messages of one aggregate stay in order. @param acknowledged called with the id of each stored message @throws
   * PublishingFailed if the broker has not stored all
   */
  abstract publish(messages: readonly BrokerMessage[], acknowledged: (id: string) => void): Promise<void>;
  abstract close(): Promise<void>;
}

export interface EventDestinationCheckpoint {
  readonly number: number;
  readonly replays: number;
}

export interface UnpublishedEvents {
  readonly position: EventDestinationCheckpoint;
  /** Events are in the order of the event log. */
  readonly events: readonly NumberedEvent[];
}

export interface EventDestinationCheckpoints {
  eventsAfterCheckpoint(name: string, limit: number): Promise<UnpublishedEvents>;
  advance(name: string, from: EventDestinationCheckpoint, number: number): Promise<boolean>;
  recordResult(name: string, failed: PublishingFailed | null): Promise<void>;
}

export const MAX_EVENTS_PUBLISHED_TOGETHER = 200;

/**
 * The checkpoint advances only past events that the broker has acknowledged together with all earlier ones. After a
 * crash, later events are published again with the same ids.
 */
export class PublishEvents {
  /** Acknowledged events after the checkpoint. Only the failed events before them are published again. */
  private readonly acknowledged = new Set<string>();
  private position: EventDestinationCheckpoint | undefined;
  private isFailing = true;

  constructor(
    private readonly name: string,
    private readonly source: string,
    private readonly positions: EventDestinationCheckpoints,
    private readonly broker: EventBroker,
  ) {}

  /** @returns true if there may be more events @throws PublishingFailed */
  async publish(traceparent?: string): Promise<boolean> {
    const { position, events } = await this.positions.eventsAfterCheckpoint(
      this.name,
      MAX_EVENTS_PUBLISHED_TOGETHER,
    );
    this.forgetAcknowledgedIfMoved(position);
    const failed = await this.publishBatch(events, traceparent);
    await this.advancePastAcknowledged(events, position);
    if (failed !== null || this.isFailing) await this.positions.recordResult(this.name, failed);
    this.isFailing = failed !== null;
    if (failed !== null) throw failed;
    return events.length === MAX_EVENTS_PUBLISHED_TOGETHER;
  }

  /** Another process or a replay may have moved the checkpoint. */
  private forgetAcknowledgedIfMoved(position: EventDestinationCheckpoint): void {
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
    const messages = missing.map((event) => buildBrokerMessage(event, this.source, traceparent));
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
    from: EventDestinationCheckpoint,
  ): Promise<void> {
    const end = events.findIndex(({ id }) => !this.acknowledged.has(id));
    const done = end === -1 ? events : events.slice(0, end);
    const last = done.at(-1);
    if (last === undefined || !(await this.positions.advance(this.name, from, last.number))) return;
    this.position = { ...from, number: last.number };
    for (const { id } of done) this.acknowledged.delete(id);
  }
}
