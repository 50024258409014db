import type { PublishedEvent } from '../../kernel/domain-event.js';
import type { Database } from '../database/database.js';
import { isTransientDatabaseError } from '../database/transient-error.js';
import { EVENT_COLUMNS, DeadLetteredEvents, type EventRow } from './dead-lettered-events.js';
import { OperatorLogWriter } from '../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../logging/platform-log-events.js';

/** Receives the events of other contexts, each exactly once. */
export abstract class EventSubscriber {
  /** Name under which the subscriber's checkpoint is stored. Must never change. */
  abstract readonly name: string;
  abstract readonly eventTypes: readonly string[];

  /**
   * Applies events in the unit of work that moves the checkpoint. After a permanent error, they are applied one by
   * one; the failing event and later ones of its aggregate are dead-lettered.
   */
  abstract apply(events: readonly PublishedEvent[]): Promise<void>;
}

/**
 * Uses LIMIT 1, because PostgreSQL would scan EXISTS from the start of the log. The redundant first condition lets it
 * skip older partitions.
 */
const HAS_UNREAD_EVENT = `(SELECT true FROM platform.events e
  WHERE e.transaction_id >= p.transaction_id AND (e.transaction_id, e.position) > (p.transaction_id, p.position)
    AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY e.transaction_id, e.position LIMIT 1) IS NOT NULL`;

export const POLL_SUBSCRIBER = `
SELECT COALESCE((SELECT ${HAS_UNREAD_EVENT} FROM platform.subscriber_positions p WHERE p.subscriber = $1), false) AS unread,
  EXISTS (SELECT 1 FROM platform.parked_events WHERE subscriber = $1 AND retry) AS retry`;

export const POLL_ALL_SUBSCRIBERS = `
SELECT p.subscriber AS name FROM platform.subscriber_positions p
WHERE p.subscriber = ANY($1)
  AND (${HAS_UNREAD_EVENT} OR EXISTS (SELECT 1 FROM platform.parked_events k WHERE k.subscriber = p.subscriber AND k.retry))`;

type SubscriberCheckpoint = Pick<EventRow, 'transactionId' | 'position'>;

const EVENTS_PER_BATCH = 200;

/**
 * Events and checkpoint commit together, so each event is applied exactly once. Processes exclude each other by
 * locking the checkpoint row.
 */
export class SubscriberRunner {
  private readonly log: OperatorLogWriter;
  private readonly parked: DeadLetteredEvents;
  private isRegistered = false;

  constructor(
    private readonly database: Database,
    private readonly subscriber: EventSubscriber,
  ) {
    this.log = new OperatorLogWriter(`subscriber ${subscriber.name}`, PLATFORM_LOG_EVENTS);
    this.parked = new DeadLetteredEvents(database, subscriber.name);
  }

  async register(): Promise<void> {
    await this.database.query(
      `INSERT INTO platform.subscriber_positions (subscriber, transaction_id, position) VALUES ($1, '0', 0)
       ON CONFLICT (subscriber) DO NOTHING`,
      [this.subscriber.name],
    );
    this.isRegistered = true;
  }

  async applyNextBatch(): Promise<boolean> {
    if (!this.isRegistered) await this.register();
    const { unread, retry } = await this.poll();
    if (retry) await this.retryDeadLettered();
    if (!unread) return false;
    return this.database.run(async () => {
      const position = await this.tryLockCheckpoint();
      if (position === null) return false;
      const rows = await this.readEventsAfter(position);
      const last = rows.at(-1);
      if (last === undefined) return false;
      await this.applyAll(rows.filter((row) => this.subscriber.eventTypes.includes(row.type)));
      await this.database.queryInTransaction(
        `UPDATE platform.subscriber_positions SET transaction_id = $2, position = $3, moved_at = clock_timestamp()
         WHERE subscriber = $1`,
        [this.subscriber.name, last.transactionId, last.position],
      );
      return rows.length === EVENTS_PER_BATCH;
    });
  }

  async retryDeadLettered(): Promise<number> {
    return this.database.run(async () => {
      await this.waitForCheckpointLock();
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

  /** Polls without a lock, so that an idle subscriber costs one cheap statement per iteration. */
  private async poll(): Promise<{ unread: boolean; retry: boolean }> {
    const [found] = await this.database.query<{ unread: boolean; retry: boolean }>(POLL_SUBSCRIBER, [
      this.subscriber.name,
    ]);
    return found!;
  }

  private async tryLockCheckpoint(): Promise<SubscriberCheckpoint | null> {
    const [row] = await this.database.queryInTransaction<SubscriberCheckpoint>(
      `SELECT transaction_id, position FROM platform.subscriber_positions WHERE subscriber = $1
       FOR UPDATE SKIP LOCKED`,
      [this.subscriber.name],
    );
    return row ?? null;
  }

  /** Waits for the checkpoint's lock instead of skipping the iteration. */
  private async waitForCheckpointLock(): Promise<void> {
    await this.database.queryInTransaction(
      `SELECT 1 FROM platform.subscriber_positions WHERE subscriber = $1 FOR UPDATE`,
      [this.subscriber.name],
    );
  }

  /**
   * Reads the next events in the order (transaction id, position), up to the oldest running transaction: only below
   * its id can no more events appear. Reading by a serial number would skip events of transactions that commit late.
   */
  private readEventsAfter(after: SubscriberCheckpoint): Promise<EventRow[]> {
    return this.database.queryInTransaction<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM platform.events e
       WHERE e.transaction_id >= $1::xid8 AND (e.transaction_id, e.position) > ($1::xid8, $2::bigint)
         AND e.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
       ORDER BY e.transaction_id, e.position LIMIT ${EVENTS_PER_BATCH}`,
      [after.transactionId, after.position],
    );
  }

  private async applyAll(events: PublishedEvent[]): Promise<void> {
    const stuck = await this.parked.findBlockedAggregates(events);
    const applicable = events.filter((event) => !stuck.has(event.aggregateId));
    for (const event of events) {
      if (stuck.has(event.aggregateId))
        await this.parked.add(event, 'an earlier event of its aggregate is parked');
    }
    if (applicable.length === 0) return;
    try {
      await this.database.savepoint(() => this.subscriber.apply(applicable));
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      for (const event of applicable) {
        if (stuck.has(event.aggregateId))
          await this.parked.add(event, 'an earlier event of its aggregate is parked');
        else if (!(await this.tryApply(event))) stuck.add(event.aggregateId);
      }
    }
  }

  private async tryApply(event: PublishedEvent): Promise<boolean> {
    try {
      await this.database.savepoint(() => this.subscriber.apply([event]));
      await this.parked.remove(event);
      return true;
    } catch (error) {
      if (isTransientDatabaseError(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const { id, type, aggregateId } = event;
      this.log.write('events.dead_lettered', {
        ...{ subscriber: this.subscriber.name, event_id: id, event_type: type },
        ...{ aggregate_id: aggregateId, reason },
      });
      await this.parked.add(event, reason);
      return false;
    }
  }
}
