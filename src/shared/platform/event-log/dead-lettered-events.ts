import type { PublishedEvent } from '../../kernel/domain-event.js';
import type { Database } from '../database/database.js';

export interface EventRow extends PublishedEvent {
  readonly transactionId: string;
  readonly position: number;
}

export const EVENT_COLUMNS = `e.transaction_id, e.position, e.id, e.type, e.aggregate_id,
  e.organization_id, e.account_id, e.occurred_at, e.data`;

/** Dead-lettered events: events that a subscriber could not apply, with the reason. */
export class DeadLetteredEvents {
  constructor(
    private readonly database: Database,
    private readonly subscriber: string,
  ) {}

  /** Later events of these aggregates must wait. */
  async findBlockedAggregates(events: readonly PublishedEvent[]): Promise<Set<string>> {
    const rows = await this.database.queryInTransaction<{ aggregateId: string }>(
      `SELECT DISTINCT aggregate_id FROM platform.parked_events WHERE subscriber = $1 AND aggregate_id = ANY($2)`,
      [this.subscriber, events.map((event) => event.aggregateId)],
    );
    return new Set(rows.map((row) => row.aggregateId));
  }

  async add(event: PublishedEvent, reason: string): Promise<void> {
    await this.database.queryInTransaction(
      `INSERT INTO platform.parked_events (subscriber, event_id, aggregate_id, reason) VALUES ($1, $2, $3, $4)
       ON CONFLICT (subscriber, event_id) DO UPDATE SET reason = excluded.reason, retry = false`,
      [this.subscriber, event.id, event.aggregateId, reason],
    );
  }

  async remove(event: PublishedEvent): Promise<void> {
    await this.database.queryInTransaction(
      `DELETE FROM platform.parked_events WHERE subscriber = $1 AND event_id = $2`,
      [this.subscriber, event.id],
    );
  }

  list(): Promise<EventRow[]> {
    return this.database.queryInTransaction<EventRow>(
      `SELECT ${EVENT_COLUMNS}
       FROM platform.parked_events p JOIN platform.events e ON e.id = p.event_id
       WHERE p.subscriber = $1 ORDER BY e.transaction_id, e.position`,
      [this.subscriber],
    );
  }
}
