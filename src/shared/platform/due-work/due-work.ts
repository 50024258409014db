import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { Database } from '../database/database.js';
import {
  CLAIM_NEWEST,
  CLAIM_ON_A_WALK,
  LANES_PER_WALK,
  WITHDRAW,
  WITHDRAW_UNLOCKED,
} from './due-work.sql.js';

export interface Due {
  /** Id of the context's record. One row per kind and key. */
  readonly key: string;
  /** Jobs of one lane (an endpoint, a merchant, …) must not starve the others. */
  readonly lane: string;
  /** Number of earlier attempts. */
  readonly attempt: number;
}

export interface Claimed extends Due {
  /** Proof of the claim; each claim has a new value. */
  readonly claim: string;
}

/** How many jobs may be claimed per lane. */
export interface LaneRooms {
  readonly of: ReadonlyMap<string, number>;
  /** Room of unlisted lanes. */
  readonly ofOthers: number;
}

/** Result of a claimed job: finished, or due again. */
export interface JobResult {
  readonly work: Claimed;
  readonly again: Date | null;
}

/** Some jobs were withdrawn; their claimants settle the claimed ones. */
export interface Withdrawal {
  readonly withdrawn: readonly Due[];
  readonly underWay: readonly Due[];
}

const EVERY_LANE: LaneRooms = { of: new Map(), ofOthers: 2 ** 31 - 1 };
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Lanes after `after` up to `to`, ordered by id. */
interface Way {
  readonly after: string;
  readonly to: string;
}

/** Queue of scheduled jobs. Contexts store history in their own tables, so the queue stays small. */
@Injectable()
export class DueWork {
  /** Last lane of the previous claim, by kind. The next claim continues after it, so that every lane is served. */
  private readonly last = new Map<string, string>();

  constructor(private readonly database: Database) {}

  /** Adds jobs in the unit of work that makes them due. Does not change existing rows. */
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
   * Claims up to `limit` due rows for some seconds: the oldest of each lane, within the lane's room. The cost depends on
   * lanes and claimed rows, not on rows waiting in full lanes. With very many lanes, a call checks only some of them and
   * the most recently due rows; the next call continues from there. Commits immediately: jobs run outside any transaction.
   */
  async claim(kind: string, limit: number, rooms: LaneRooms = EVERY_LANE): Promise<Claimed[]> {
    const begin = this.last.get(kind) ?? BEFORE_ALL;
    const claimed = await this.walkOn(kind, limit, rooms, { after: begin, to: AFTER_ALL });
    if (begin !== BEFORE_ALL && !this.last.has(kind)) {
      const around = { after: BEFORE_ALL, to: begin };
      claimed.push(...(await this.walkOn(kind, limit - claimed.length, roomsLeft(rooms, claimed), around)));
    }
    if (this.last.has(kind) && claimed.length < limit) {
      claimed.push(...(await this.newest(kind, limit - claimed.length, roomsLeft(rooms, claimed))));
    }
    return claimed;
  }

  private async walkOn(kind: string, limit: number, rooms: LaneRooms, way: Way): Promise<Claimed[]> {
    const { claimed, stoppedAt } = await this.walk(kind, limit, rooms, way);
    if (stoppedAt === null) this.last.delete(kind);
    else this.last.set(kind, stoppedAt);
    return claimed;
  }

  /** Claims the most recently due jobs, so that they do not wait for a walk through very many lanes. */
  private async newest(kind: string, limit: number, { of, ofOthers }: LaneRooms): Promise<Claimed[]> {
    const claim = newId();
    const rows = await this.database.query<Due>(CLAIM_NEWEST, [
      kind,
      claim,
      limit,
      [...of.keys()],
      [...of.values()],
      ofOthers,
    ]);
    return rows.map((row) => ({ ...row, claim }));
  }

  private async walk(
    kind: string,
    limit: number,
    { of, ofOthers }: LaneRooms,
    { after, to }: Way,
  ): Promise<{ claimed: Claimed[]; stoppedAt: string | null }> {
    const claim = newId();
    const rows = await this.database.query<(Due | { key: null }) & { end: string; steps: number }>(
      CLAIM_ON_A_WALK,
      [kind, claim, limit, [...of.keys()], [...of.values()], after, to, ofOthers],
    );
    const claimed = rows.flatMap(({ end: _end, steps: _steps, ...row }) =>
      row.key === null ? [] : [{ ...row, claim }],
    );
    if (claimed.length === limit) return { claimed, stoppedAt: claimed.at(-1)!.lane };
    const walked = rows[0];
    return { claimed, stoppedAt: walked?.steps === LANES_PER_WALK ? walked.end : null };
  }

  /**
   * Finishes claimed jobs or schedules another attempt, in one statement.
   * @returns the jobs whose claim was still valid; the others have a new claimant, so write nothing for them
   */
  async settle(kind: string, outcomes: readonly JobResult[]): Promise<Set<Claimed>> {
    // Locked in key order, because two workers may settle the same job concurrently if a claim has expired. The keys appear
    // twice, so that the plan uses the index even if made while the table was small.
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
  hold(kind: string, lane: string, limit: number): Promise<Due[]> {
    return this.database.queryInTransaction<Due>(
      `SELECT key, lane, attempt FROM platform.due_work
       WHERE kind = $1 AND lane = $2 AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
       ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
      [kind, lane, limit],
    );
  }

  /**
   * Withdraws unclaimed jobs of a lane in the caller's unit of work. Waits for a worker that is settling some of them. The
   * remaining jobs cannot be claimed or settled until the unit of work ends.
   * @param others `passed_over`: does not wait, and skips jobs that are being settled; for callers that already hold jobs
   */
  async withdraw(
    kind: string,
    lane: string,
    keys: readonly string[],
    others: 'awaited' | 'passed_over' = 'awaited',
  ): Promise<Withdrawal> {
    const found = await this.database.queryInTransaction<Due & { free: boolean }>(
      others === 'awaited' ? WITHDRAW : WITHDRAW_UNLOCKED,
      [kind, lane, keys],
    );
    const part = (free: boolean) =>
      found.filter((due) => due.free === free).map(({ free: _, ...due }) => due);
    return { withdrawn: part(true), underWay: part(false) };
  }
}

function roomsLeft({ of, ofOthers }: LaneRooms, claimed: readonly Claimed[]): LaneRooms {
  const left = new Map(of);
  for (const { lane } of claimed) left.set(lane, (left.get(lane) ?? ofOthers) - 1);
  return { of: left, ofOthers };
}
