import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../../kernel/domain-event.js';
import { newId } from '../../kernel/ids.js';
import { Database } from '../database/database.js';

export type CommittedEvent = Pick<DomainEvent, 'type' | 'data'>;

/** Events are appended in the transaction of the state change, so that a crash cannot lose one without the other. */
@Injectable()
export class EventLog {
  private readonly listeners = new Set<() => void>();
  private readonly observers = new Set<(events: readonly CommittedEvent[]) => void>();

  constructor(private readonly database: Database) {}

  /** @throws Error outside a unit of work */
  async append(events: readonly DomainEvent[]): Promise<void> {
    if (events.length === 0) return;
    const ids = events.map(() => newId<string>());
    await this.database.queryInTransaction(
      `INSERT INTO platform.events (id, type, aggregate_id, organization_id, account_id, occurred_at, data)
       SELECT id, type, aggregate_id, organization_id, account_id, occurred_at, data
       FROM jsonb_to_recordset($1::jsonb) AS e (n int, id uuid, type text, aggregate_id uuid, organization_id uuid,
         account_id uuid, occurred_at timestamptz, data jsonb)
       ORDER BY n`,
      [
        JSON.stringify(
          events.map((event, n) => ({
            n,
            id: ids[n],
            type: event.type,
            aggregate_id: event.aggregateId,
            organization_id: event.organizationId,
            account_id: event.accountId,
            occurred_at: event.occurredAt,
            data: event.data,
          })),
        ),
      ],
    );
    this.database.afterCommit(() => {
      this.database.identity.acknowledged.addRows('platform.events', ids);
      this.listeners.forEach((listener) => listener());
    });
    this.notifyObservers(events);
  }

  /** Notifies the observers after the commit about events that the caller has appended with its own SQL statement. */
  notifyObservers(events: readonly CommittedEvent[]): void {
    if (this.observers.size === 0) return;
    this.database.whenCommitted(() => this.observers.forEach((observer) => observer(events)));
  }

  onCommitted(observer: (events: readonly CommittedEvent[]) => void): void {
    this.observers.add(observer);
  }

  /** Calls `listener` after each commit of this process that appended events. */
  onAppended(listener: () => void): void {
    this.listeners.add(listener);
  }
}
