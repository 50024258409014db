import type { Database } from '../database/database.js';

/** An appended event, which means that cached data of its aggregate is stale. */
export interface TailEvent {
  readonly aggregateId: string;
  readonly type: string;
}

export interface TailPoll {
  /** `too_many`: there are too many events to return, or some may have been missed. Drop the complete cache. */
  readonly events: readonly TailEvent[] | 'too_many';
}

interface TailPollRow {
  snapshot: string;
  aggregateId: string | null;
  type: string | null;
}

const MAX_EVENTS = 5_000;

/**
 * Polls for events appended since the last poll, so that a process can invalidate its cache. Each cache has its own
 * tail.
 * Subscribers apply every event once and in order, also across restarts. They therefore wait until no older transaction
 * can append an event before it. A tail does not wait: it returns an event as soon as it is committed, even if older
 * transactions still run. Order and duplicates do not matter to a cache, and after a restart the cache is empty.
 * A tail remembers only the PostgreSQL snapshot of the last poll. New events come from transactions that were running
 * in that snapshot and have since committed, and from later transactions. Both are found by index.
 */
export class EventTail {
  private mark: string | null = null;
  private missed = false;

  constructor(
    private readonly database: Database,
    private readonly mostEvents: number = MAX_EVENTS,
  ) {
    database.identity.onAnotherTimeline(() => this.markMissed());
  }

  /**
   * Polls once with one statement. Do not call it inside a unit of work or concurrently. The first poll returns no
   * events and only records the snapshot: call it before filling the cache, so that no change in between is missed.
   * @throws if the database is unavailable. The next successful poll returns `too_many`, because after a failover the
   * new primary may not know the old snapshot.
   */
  async poll(): Promise<TailPoll> {
    const rows = await this.read();
    const first = this.mark === null;
    this.mark = rows[0]!.snapshot;
    const missed = this.missed || rows.length > this.mostEvents;
    this.missed = false;
    if (missed) return { events: 'too_many' };
    if (first || rows[0]!.type === null) return { events: [] };
    return { events: rows.map((row) => ({ aggregateId: row.aggregateId!, type: row.type! })) };
  }

  private async read(): Promise<TailPollRow[]> {
    try {
      return await this.database.query<TailPollRow>(
        `SELECT pg_current_snapshot()::text AS snapshot, appended.aggregate_id, appended.type
         FROM (VALUES (1)) AS one LEFT JOIN LATERAL (
           SELECT aggregate_id, type FROM platform.events
           WHERE transaction_id = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))
             -- It follows from the line before, and lets the planner leave earlier partitions alone.
             AND transaction_id >= pg_snapshot_xmin($1::pg_snapshot)
           UNION ALL
           SELECT aggregate_id, type FROM platform.events
           WHERE transaction_id >= pg_snapshot_xmax($1::pg_snapshot)
           LIMIT $2
         ) AS appended ON true`,
        [this.mark, this.mostEvents + 1],
      );
    } catch (error) {
      this.markMissed();
      throw error;
    }
  }

  private markMissed(): void {
    this.missed ||= this.mark !== null;
    this.mark = null;
  }
}
