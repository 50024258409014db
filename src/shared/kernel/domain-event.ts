import type { AccountId, OrganizationId } from './ids.js';

/** `data` is JSON: decimal strings for amounts, ISO 8601 for times. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly aggregateId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly occurredAt: Date;
  readonly data: Data;
}

export type PublishedEvent<E extends DomainEvent = DomainEvent> = E & { readonly id: string };

export abstract class AggregateRoot<E extends DomainEvent> {
  private events: E[] = [];

  protected record(event: E): void {
    this.events.push(event);
  }

  pullEvents(): E[] {
    const events = this.events;
    this.events = [];
    return events;
  }
}
