import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { Database } from '../database/database.js';
import {
  CLAIM_NEWEST_JOBS,
  CLAIM_JOBS_BY_LANE,
  MAX_LANES_PER_JOB_CLAIM,
  CANCEL_JOBS,
  CANCEL_UNLOCKED_JOBS,
} from './scheduled-jobs.sql.js';

export interface ScheduledJob {
  /** Id of the record that the job is for. A kind has at most one job per key. */
  readonly key: string;
  /** Jobs of the same lane, such as one webhook endpoint or merchant, must not delay the jobs of other lanes. */
  readonly lane: string;
  readonly attempt: number;
}

export interface ClaimedJob extends ScheduledJob {
  /** Identifies the claim. */
  readonly claim: string;
}

export interface LaneLimits {
  readonly of: ReadonlyMap<string, number>;
  /** Limit for lanes that `of` does not list. */
  readonly ofOthers: number;
}

export interface JobResult {
  readonly work: ClaimedJob;
  readonly again: Date | null;
}

export interface CancelledJobs {
  readonly withdrawn: readonly ScheduledJob[];
  readonly underWay: readonly ScheduledJob[];
}

const NO_LANE_LIMITS: LaneLimits = { of: new Map(), ofOthers: 2 ** 31 - 1 };
const LOWEST_LANE = '00000000-0000-0000-0000-000000000000';
const HIGHEST_LANE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

interface LaneRange {
  readonly after: string;
  readonly to: string;
}

/** Queue of scheduled jobs. */
@Injectable()
export class ScheduledJobs {
  /** The last lane that the previous claim checked, by job kind. */
  private readonly lastLaneByKind = new Map<string, string>();

  constructor(private readonly database: Database) {}

  async schedule(kind: string, items: readonly { key: string; lane: string; dueAt: Date }[]): Promise<void> {
    if (items.length === 0) return;
    await this.database.queryInTransaction(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT $1, * FROM UNNEST($2::uuid[], $3::uuid[], $4::timestamptz[])
       ON CONFLICT (kind, key) DO NOTHING`,
      [kind, items.map((i) => i.key), items.map((i) => i.lane), items.map((i) => i.dueAt)],
    );
  }

  /**
   * Claims up to `limit` due jobs, the oldest of each lane. Commits immediately, so that the jobs run outside any
   * transaction.
   */
  async claim(kind: string, limit: number, rooms: LaneLimits = NO_LANE_LIMITS): Promise<ClaimedJob[]> {
    const begin = this.lastLaneByKind.get(kind) ?? LOWEST_LANE;
    const claimed = await this.claimInRange(kind, limit, rooms, { after: begin, to: HIGHEST_LANE });
    if (begin !== LOWEST_LANE && !this.lastLaneByKind.has(kind)) {
      const around = { after: LOWEST_LANE, to: begin };
      claimed.push(
        ...(await this.claimInRange(kind, limit - claimed.length, remainingLimits(rooms, claimed), around)),
      );
    }
    if (this.lastLaneByKind.has(kind) && claimed.length < limit) {
      claimed.push(
        ...(await this.claimNewest(kind, limit - claimed.length, remainingLimits(rooms, claimed))),
      );
    }
    return claimed;
  }

  private async claimInRange(
    kind: string,
    limit: number,
    rooms: LaneLimits,
    way: LaneRange,
  ): Promise<ClaimedJob[]> {
    const { claimed, stoppedAt } = await this.claimByLane(kind, limit, rooms, way);
    if (stoppedAt === null) this.lastLaneByKind.delete(kind);
    else this.lastLaneByKind.set(kind, stoppedAt);
    return claimed;
  }

  private async claimNewest(
    kind: string,
    limit: number,
    { of, ofOthers }: LaneLimits,
  ): Promise<ClaimedJob[]> {
    const claim = newId();
    const rows = await this.database.query<ScheduledJob>(CLAIM_NEWEST_JOBS, [
      kind,
      claim,
      limit,
      [...of.keys()],
      [...of.values()],
      ofOthers,
    ]);
    return rows.map((row) => ({ ...row, claim }));
  }

  private async claimByLane(
    kind: string,
    limit: number,
    { of, ofOthers }: LaneLimits,
    { after, to }: LaneRange,
  ): Promise<{ claimed: ClaimedJob[]; stoppedAt: string | null }> {
    const claim = newId();
    const rows = await this.database.query<(ScheduledJob | { key: null }) & { end: string; steps: number }>(
      CLAIM_JOBS_BY_LANE,
      [kind, claim, limit, [...of.keys()], [...of.values()], after, to, ofOthers],
    );
    const claimed = rows.flatMap(({ end: _end, steps: _steps, ...row }) =>
      row.key === null ? [] : [{ ...row, claim }],
    );
    if (claimed.length === limit) return { claimed, stoppedAt: claimed.at(-1)!.lane };
    const walked = rows[0];
    return { claimed, stoppedAt: walked?.steps === MAX_LANES_PER_JOB_CLAIM ? walked.end : null };
  }

  /** @returns the jobs whose claim was still valid. Another worker has claimed the others: write nothing for them. */
  async recordResults(kind: string, outcomes: readonly JobResult[]): Promise<Set<ClaimedJob>> {
    // Locks rows in key order, because two workers may settle the same jobs after a claim has expired. The repeated
    // condition on the keys makes PostgreSQL use the index.
    const held = await this.database.queryInTransaction<{ key: string; claim: string }>(
      `WITH held AS MATERIALIZED (
         SELECT w.key, w.claim, o.again
         FROM UNNEST($2::uuid[], $3::uuid[], $4::timestamptz[]) AS o (key, claim, again)
         JOIN platform.due_work w ON w.kind = $1 AND w.key = o.key AND w.claim = o.claim
         WHERE w.key = ANY($2::uuid[])
         ORDER BY w.key FOR UPDATE OF w
       ), ended AS (
         DELETE FROM platform.due_work w USING held
         WHERE w.kind = $1 AND w.key = held.key AND held.again IS NULL
       ), put_back AS (
         UPDATE platform.due_work w SET due_at = held.again, attempt = w.attempt + 1, claim = NULL, claimed_until = NULL
         FROM held WHERE w.kind = $1 AND w.key = held.key AND held.again IS NOT NULL
       )
       SELECT key, claim FROM held`,
      [
        kind,
        outcomes.map(({ work }) => work.key),
        outcomes.map(({ work }) => work.claim),
        outcomes.map(({ again }) => again),
      ],
    );
    const claims = new Map(held.map(({ key, claim }) => [key, claim]));
    return new Set(outcomes.map(({ work }) => work).filter(({ key, claim }) => claims.get(key) === claim));
  }

  /**
   * Locks up to `limit` unclaimed and unlocked jobs of a lane, oldest first, until the caller's unit of work ends.
   */
  lockJobs(kind: string, lane: string, limit: number): Promise<ScheduledJob[]> {
    return this.database.queryInTransaction<ScheduledJob>(
      `SELECT key, lane, attempt FROM platform.due_work
       WHERE kind = $1 AND lane = $2 AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
       ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [kind, lane, limit],
    );
  }

  /**
   * Deletes unclaimed jobs of a lane; the remaining jobs cannot be claimed or settled until the unit of work ends.
   * @param others `passed_over`: skips jobs that are being settled instead of waiting for them
   */
  async cancel(
    kind: string,
    lane: string,
    keys: readonly string[],
    others: 'awaited' | 'passed_over' = 'awaited',
  ): Promise<CancelledJobs> {
    const found = await this.database.queryInTransaction<ScheduledJob & { free: boolean }>(
      others === 'awaited' ? CANCEL_JOBS : CANCEL_UNLOCKED_JOBS,
      [kind, lane, keys],
    );
    const part = (free: boolean) =>
      found.filter((due) => due.free === free).map(({ free: _, ...due }) => due);
    return { withdrawn: part(true), underWay: part(false) };
  }
}

function remainingLimits({ of, ofOthers }: LaneLimits, claimed: readonly ClaimedJob[]): LaneLimits {
  const left = new Map(of);
  for (const { lane } of claimed) left.set(lane, (left.get(lane) ?? ofOthers) - 1);
  return { of: left, ofOthers };
}
