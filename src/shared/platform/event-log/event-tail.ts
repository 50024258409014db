import type { Database } from '../database/database.js';

/** Part of an appended event: identifies the stale aggregate. */
export interface SeenEvent {
  readonly aggregateId: string;
  readonly type: string;
}

export interface TailPoll {
  /** `too_many`: too many events to return, or some may have been missed. Drop the complete cache. */
  readonly events: readonly SeenEvent[] | 'too_many';
}

interface LookRow {
  snapshot: string;
  aggregateId: string | null;
  type: string | null;
}

const MAX_EVENTS = 5_000;

/**
 * Polls events appended since the last poll, to invalidate a process's cache. Each cache has its own tail.
 *
 * A tail is weaker and faster than a subscriber. A subscriber applies events in order, once, and across restarts, so it
 * waits until no older transaction can append. A tail's event only means that the cached aggregate is stale: order does not
 * matter, duplicates are harmless, and a restart starts with an empty cache. Each event is therefore returned as soon as it
 * is committed, however long other transactions run.
 *
 * A tail stores only the last poll's snapshot. Newly visible events come from transactions that ran in it and have
 * committed, and from later transactions. Both are found by index, whatever else runs.
 */
export class EventTail {
  private mark: string | null = null;
  private missed = false;

  constructor(
    private readonly database: Database,
    private readonly mostEvents: number = MAX_EVENTS,
  ) {
    database.identity.onAnotherTimeline(() => this.miss());
  }

  /**
   * Polls once with one statement. Do not call inside a unit of work or concurrently. The first poll returns no events and
   * sets the mark: call it before filling the cache, or changes in between are missed.
   * @throws if the database is unavailable; the next successful poll returns `too_many`, because a promoted standby may not
   * know the mark
   */
  async look(): Promise<TailPoll> {
    const rows = await this.read();
    const first = this.mark === null;
    this.mark = rows[0]!.snapshot;
    const missed = this.missed || rows.length > this.mostEvents;
    this.missed = false;
    if (missed) return { events: 'too_many' };
    if (first || rows[0]!.type === null) return { events: [] };
    return { events: rows.map((row) => ({ aggregateId: row.aggregateId!, type: row.type! })) };
  }

  private async read(): Promise<LookRow[]> {
    try {
      return await this.database.query<LookRow>(
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
      this.miss();
      throw error;
    }
  }

  private miss(): void {
    this.missed ||= this.mark !== null;
    this.mark = null;
  }
}
