import type { PublishedEvent } from '../../kernel/domain-event.js';
import type { Database } from '../database/database.js';
import { isTransientDatabaseError } from '../database/transient-error.js';
import { EVENT_COLUMNS, ParkedEvents, type EventRow } from './parked-events.js';
import { EventLogger } from '../logging/event-logger.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** Applies published events through a context's use cases, each exactly once. */
export abstract class EventSubscriber {
  /** Name of its checkpoint; never changes. */
  abstract readonly name: string;
  /** Event types that it applies; others are skipped. */
  abstract readonly eventTypes: readonly string[];

  /**
   * Called in the unit of work that moves the checkpoint, with events in read order. If it throws a permanent error, the
   * runner applies the events one by one and dead-letters the failing event with all later events of its aggregate.
   */
  abstract apply(events: readonly PublishedEvent[]): Promise<void>;
}

/**
 * True if the log has a readable event after the checkpoint `p`. Events later than a running transaction are not readable,
 * because it may still append before them. Not EXISTS, which would drop the order: PostgreSQL, expecting many such events,
 * would scan from the start of the log. The first condition is redundant but lets PostgreSQL prune earlier partitions,
 * which a row comparison does not.
 */
const IS_BEHIND = `(SELECT true FROM platform.events e
  WHERE e.transaction_id >= p.transaction_id AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
    AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY e.transaction_id, e.position LIMIT 1) IS NOT NULL`;

/** Polls for work of the subscriber $1. */
export const POLL_ONE = `
SELECT COALESCE((SELECT ${IS_BEHIND} FROM platform.subscriber_positions p WHERE p.subscriber = $1), false) AS unread,
  EXISTS (SELECT 1 FROM platform.parked_events WHERE subscriber = $1 AND retry) AS retry`;

/** Returns those of the subscribers $1 that have work. */
export const POLL_ALL = `
SELECT p.subscriber AS name FROM platform.subscriber_positions p
WHERE p.subscriber = ANY($1)
  AND (${IS_BEHIND} OR EXISTS (SELECT 1 FROM platform.parked_events k WHERE k.subscriber = p.subscriber AND k.retry))`;

/** Checkpoint in the read order. */
type Position = Pick<EventRow, 'transactionId' | 'position'>;

const BATCH = 200;

/**
 * Moves one subscriber through the event log. Applied events and checkpoint commit together, so each event is applied
 * exactly once. Any number of processes may run the same subscriber: the checkpoint row is the lock.
 */
export class SubscriberRunner {
  private readonly log: EventLogger;
  private readonly parked: ParkedEvents;
  private isRegistered = false;

  constructor(
    private readonly database: Database,
    private readonly subscriber: EventSubscriber,
  ) {
    this.log = new EventLogger(`subscriber ${subscriber.name}`, PLATFORM_LOG_EVENTS);
    this.parked = new ParkedEvents(database, subscriber.name);
  }

  /** New subscribers start at the beginning of the log. */
  async register(): Promise<void> {
    await this.database.query(
      `INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position) VALUES ($1, '0', 0)
       ON CONFLICT (subscriber) DO NOTHING`,
      [this.subscriber.name],
    );
    this.isRegistered = true;
  }

  /** Applies one batch. @returns true if there may be more */
  async turn(): Promise<boolean> {
    if (!this.isRegistered) await this.register();
    const { unread, retry } = await this.poll();
    if (retry) await this.retryParked();
    if (!unread) return false;
    return this.database.run(async () => {
      const position = await this.lockPosition();
      if (position === null) return false;
      const rows = await this.read(position);
      const last = rows.at(-1);
      if (last === undefined) return false;
      await this.applyAll(rows.filter((row) => this.subscriber.eventTypes.includes(row.type)));
      await this.database.queryInTransaction(
        `UPDATE platform.subscriber_positions SET transaction_id = $2, position = $3, moved_at = clock_timestamp()
         WHERE subscriber = $1`,
        [this.subscriber.name, last.transactionId, last.position],
      );
      return rows.length === BATCH;
    });
  }

  /** Retries dead-lettered events, by aggregate and in order. @returns the number of applied events */
  async retryParked(): Promise<number> {
    return this.database.run(async () => {
      await this.awaitPosition();
      let applied = 0;
      const stuck = new Set<string>();
      for (const row of await this.parked.list()) {
        if (stuck.has(row.aggregateId)) continue;
        if (await this.tryApply(row)) applied += 1;
        else stuck.add(row.aggregateId);
      }
      return applied;
    });
  }

  /** Reads without a lock, so that an idle subscriber costs one cheap statement per iteration. */
  private async poll(): Promise<{ unread: boolean; retry: boolean }> {
    const [found] = await this.database.query<{ unread: boolean; retry: boolean }>(POLL_ONE, [
      this.subscriber.name,
    ]);
    return found!;
  }

  private async lockPosition(): Promise<Position | null> {
    const [row] = await this.database.queryInTransaction<Position>(
      `SELECT transaction_id, position FROM platform.subscriber_positions WHERE subscriber = $1
       FOR UPDATE SKIP LOCKED`,
      [this.subscriber.name],
    );
    return row ?? null;
  }

  /** Waits for the lock for an operator, to whom a skipped iteration would look like no work. */
  private async awaitPosition(): Promise<void> {
    await this.database.queryInTransaction(
      `SELECT 1 FROM platform.subscriber_positions WHERE subscriber = $1 FOR UPDATE`,
      [this.subscriber.name],
    );
  }

  /**
   * A serial number alone would skip events that commit late. Transaction ids below the oldest running transaction can gain
   * no more events, so (transaction id, position) is final up to there.
   */
  private read(after: Position): Promise<EventRow[]> {
    return this.database.queryInTransaction<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM platform.events e
       WHERE e.transaction_id >= $1::xid8 AND (e.transaction_id, e.position) > ($1::xid8, $2::bigint)
         AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
       ORDER BY e.transaction_id, e.position LIMIT ${BATCH}`,
      [after.transactionId, after.position],
    );
  }

  private async applyAll(events: PublishedEvent[]): Promise<void> {
    const stuck = await this.parked.aggregatesAmong(events);
    const applicable = events.filter((event) => !stuck.has(event.aggregateId));
    for (const event of events) {
      if (stuck.has(event.aggregateId))
        await this.parked.park(event, 'an earlier event of its aggregate is parked');
    }
    if (applicable.length === 0) return;
    try {
      await this.database.savepoint(() => this.subscriber.apply(applicable));
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      for (const event of applicable) {
        if (stuck.has(event.aggregateId))
          await this.parked.park(event, 'an earlier event of its aggregate is parked');
        else if (!(await this.tryApply(event))) stuck.add(event.aggregateId);
      }
    }
  }

  private async tryApply(event: PublishedEvent): Promise<boolean> {
    try {
      await this.database.savepoint(() => this.subscriber.apply([event]));
      await this.parked.release(event);
      return true;
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const { id, type, aggregateId } = event;
      this.log.write('events.dead_lettered', {
        ...{ subscriber: this.subscriber.name, event_id: id, event_type: type },
        ...{ aggregate_id: aggregateId, reason },
      });
      await this.parked.park(event, reason);
      return false;
    }
  }
}
