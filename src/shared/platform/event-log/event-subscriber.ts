import type { PublishedEvent } from '../../kernel/domain-event.js';

/** Applies published events by a context's own use cases, each once. */
export abstract class EventSubscriber {
  /** Name of its position in the log; never changes. */
  abstract readonly name: string;
  /** The types that it applies; all others are passed over. */
  abstract readonly eventTypes: readonly string[];

  /**
   * Called inside the unit of work that also moves the position, with events in reading order.
   * What it throws, if it is not the database being away, makes the runner apply the events one by one
   * and park the one that cannot be applied, with all later ones of its aggregate.
   */
  abstract apply(events: readonly PublishedEvent[]): Promise<void>;
}
