import type { DomainEvent } from './domain-event.js';

/** Keeps the facts an aggregate has produced until its repository stores them together with its state. */
export abstract class AggregateRoot<E extends DomainEvent> {
  private events: E[] = [];

  protected record(event: E): void {
    this.events.push(event);
  }

  /** Hands the facts over, once. */
  pullEvents(): E[] {
    const events = this.events;
    this.events = [];
    return events;
  }
}
