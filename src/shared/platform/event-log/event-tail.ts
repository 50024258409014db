import type { Database } from '../database/database.js';

export interface TailEvent {
  readonly aggregateId: string;
  readonly type: string;
}

export interface TailPoll {
  /** `too_many`: there are too many events to return, or some may have been missed. */
  readonly events: readonly TailEvent[] | 'too_many';
}

interface TailPollRow {
  snapshot: string;
  aggregateId: string | null;
  type: string | null;
}

const MAX_EVENTS = 5_000;

/**
 * Polls for new events to invalidate a cache. Unlike a subscriber, it does not wait for older running transactions,
 * because order and duplicates do not matter to a cache.
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
   * The first poll only records the snapshot: call it before filling the cache. After an error, the next poll returns
   * `too_many`, because a new primary may not know the old snapshot.
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
