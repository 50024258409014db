import type { Database } from '../database/database.js';

/** A look returns this of an appended event: enough to know which remembered aggregate is stale. */
export interface SeenEvent {
  readonly aggregateId: string;
  readonly type: string;
}

export interface TailPoll {
  /** `too_many`: more than are returned one by one, or some may have been missed; forget all that is remembered. */
  readonly events: readonly SeenEvent[] | 'too_many';
}

interface LookRow {
  snapshot: string;
  aggregateId: string | null;
  type: string | null;
}

const MAX_EVENTS = 5_000;

/**
 * Reads the events that were appended since the last look, for refreshing what a process remembers. One per memory.
 *
 * A tail is weaker than a subscriber, and faster. A subscriber applies facts in order, once, and over restarts; so it
 * waits until no older transaction can append any more. An event here only says that its remembered aggregate is stale.
 * Order does not matter for that, twice does no harm and a restart remembers nothing. So each event is returned as soon
 * as it is committed, however long others' transactions run.
 *
 * A tail keeps the last look's snapshot alone. Events that became visible since then are those of transactions that ran
 * in it and were committed, and of those that began after it; both are found by index, whatever else runs.
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
   * Looks once, by one statement; not inside a unit of work, and one look after the other. The first look returns
   * nothing and sets the mark: call it before reading what is to be remembered, else a change between is missed.
   * @throws when the database is away; the next look that succeeds returns `too_many`, since a standby that has taken
   * over may not know the mark
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
