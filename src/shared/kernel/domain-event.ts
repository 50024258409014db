import type { AccountId, OrganizationId } from './ids.js';

/** A fact that one context publishes to the others. `data` is JSON: decimal strings for amounts, ISO 8601 for times. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  /** Facts of one aggregate must be applied in order. */
  readonly aggregateId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly occurredAt: Date;
  readonly data: Data;
}

/** A fact as it stands in the event log. `id` never changes: receivers and subscribers deduplicate on it. */
export type PublishedEvent<E extends DomainEvent = DomainEvent> = E & { readonly id: string };

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
