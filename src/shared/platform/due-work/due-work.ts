import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { Database } from '../database/database.js';
import {
  CLAIM_NEWEST,
  CLAIM_BY_LANE,
  MAX_LANES_PER_CLAIM,
  WITHDRAW,
  WITHDRAW_UNLOCKED,
} from './due-work.sql.js';

export interface DueJob {
  /** Id of the record that the job is for. A kind has at most one job per key. */
  readonly key: string;
  /** Jobs of the same lane, such as one webhook endpoint or merchant, must not delay the jobs of other lanes. */
  readonly lane: string;
  /** Number of earlier attempts. */
  readonly attempt: number;
}

export interface ClaimedJob extends DueJob {
  /** Identifies the claim. Each claim of a job gets a new value, so a worker can tell that its claim has expired. */
  readonly claim: string;
}

/** Maximum number of jobs that a worker may claim per lane. */
export interface LaneLimits {
  readonly of: ReadonlyMap<string, number>;
  /** Limit for lanes that `of` does not list. */
  readonly ofOthers: number;
}

/** Result of a claimed job: finished (`again` is null), or the time of the next attempt. */
export interface JobResult {
  readonly work: ClaimedJob;
  readonly again: Date | null;
}

/** Result of withdrawing jobs. Jobs that a worker has already claimed are not withdrawn; the worker finishes them. */
export interface Withdrawal {
  readonly withdrawn: readonly DueJob[];
  readonly underWay: readonly DueJob[];
}

const NO_LANE_LIMITS: LaneLimits = { of: new Map(), ofOthers: 2 ** 31 - 1 };
const LOWEST_LANE = '00000000-0000-0000-0000-000000000000';
const HIGHEST_LANE = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The lanes whose id is greater than `after` and at most `to`. */
interface LaneRange {
  readonly after: string;
  readonly to: string;
}

/**
 * Queue of scheduled jobs. Finished jobs are deleted, and each context keeps history in its own tables, so the queue
 * stays small.
 */
@Injectable()
export class DueWork {
  /**
   * The last lane that the previous claim checked, by job kind. The next claim continues after it, so that every lane
   * is served.
   */
  private readonly lastLaneByKind = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** Adds jobs in the unit of work that makes them due. Does not change a job that already exists. */
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
   * Claims up to `limit` due jobs for some seconds: the oldest of each lane, up to the lane's limit. The cost depends
   * on the number of lanes and claimed jobs, not on the length of the queue. With very many lanes, a call checks only
   * some of them and the most recently due jobs; the next call continues with the next lanes. Commits immediately, so
   * that the jobs run outside any transaction.
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

  /** Claims the most recently due jobs, so that new jobs do not wait until all of very many lanes have been checked. */
  private async claimNewest(
    kind: string,
    limit: number,
    { of, ofOthers }: LaneLimits,
  ): Promise<ClaimedJob[]> {
    const claim = newId();
    const rows = await this.database.query<DueJob>(CLAIM_NEWEST, [
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
    const rows = await this.database.query<(DueJob | { key: null }) & { end: string; steps: number }>(
      CLAIM_BY_LANE,
      [kind, claim, limit, [...of.keys()], [...of.values()], after, to, ofOthers],
    );
    const claimed = rows.flatMap(({ end: _end, steps: _steps, ...row }) =>
      row.key === null ? [] : [{ ...row, claim }],
    );
    if (claimed.length === limit) return { claimed, stoppedAt: claimed.at(-1)!.lane };
    const walked = rows[0];
    return { claimed, stoppedAt: walked?.steps === MAX_LANES_PER_CLAIM ? walked.end : null };
  }

  /**
   * Deletes finished jobs, and schedules the others for another attempt, in one statement.
   * @returns the jobs whose claim was still valid. The others have been claimed by another worker, so write nothing for
   * them.
   */
  async settle(kind: string, outcomes: readonly JobResult[]): Promise<Set<ClaimedJob>> {
    // Rows are locked in key order, because two workers may settle the same jobs concurrently after a claim has
    // expired. The condition on the keys is repeated, so that PostgreSQL uses the index even if it planned the
    // statement while the table was small.
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

  /** Locks up to `limit` unclaimed and unlocked jobs of a lane, oldest first, until the caller's unit of work ends. */
  lockJobs(kind: string, lane: string, limit: number): Promise<DueJob[]> {
    return this.database.queryInTransaction<DueJob>(
      `SELECT key, lane, attempt FROM platform.due_work
       WHERE kind = $1 AND lane = $2 AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
       ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [kind, lane, limit],
    );
  }

  /**
   * Deletes unclaimed jobs of a lane in the caller's unit of work. Waits for workers that are settling some of the
   * jobs. The jobs that stay cannot be claimed or settled until the unit of work ends.
   * @param others `passed_over`: does not wait, and skips jobs that are being settled; for callers that have already
   * locked jobs
   */
  async withdraw(
    kind: string,
    lane: string,
    keys: readonly string[],
    others: 'awaited' | 'passed_over' = 'awaited',
  ): Promise<Withdrawal> {
    const found = await this.database.queryInTransaction<DueJob & { free: boolean }>(
      others === 'awaited' ? WITHDRAW : WITHDRAW_UNLOCKED,
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
