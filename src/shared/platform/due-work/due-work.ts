import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/ids.js';
import { Database } from '../database/database.js';

/** Claims lapse after this, in real time: a killed worker delays its work by less than 10 seconds. */
const CLAIM_SECONDS = 7;

export interface Due {
  /** What is due: the id of the context's own record. One row per kind and key. */
  readonly key: string;
  /** What must not starve others: the endpoint, the merchant, … */
  readonly lane: string;
  /** How often it was tried before. */
  readonly attempt: number;
}

export interface Claimed extends Due {
  /** Proof of the claim; a later claimant's differs. */
  readonly claim: string;
}

/** The live queue of what must happen at a time. History lives in the contexts' own tables, so this one stays small. */
@Injectable()
export class DueWork {
  constructor(private readonly database: Database) {}

  /** Adds work, in the unit of work that makes it due. Rows that exist already are left as they are. */
  async schedule(kind: string, items: readonly { key: string; lane: string; dueAt: Date }[]): Promise<void> {
    if (items.length === 0) return;
    await this.database.write(
      `INSERT INTO platform.due_work (kind, key, lane, due_at)
       SELECT $1, * FROM UNNEST($2::uuid[], $3::uuid[], $4::timestamptz[])
       ON CONFLICT (kind, key) DO NOTHING`,
      [kind, items.map((i) => i.key), items.map((i) => i.lane), items.map((i) => i.dueAt)],
    );
  }

  /**
   * Takes at most `limit` due rows for some seconds, oldest first, passing over `busyLanes`.
   * Commits by itself: the work is done outside any transaction.
   */
  async claim(kind: string, limit: number, busyLanes: readonly string[] = []): Promise<Claimed[]> {
    const claim = newId();
    const rows = await this.database.query<Due>(
      // Materialized: a plan that ran the inner query once per row would take more than the limit.
      `WITH due AS MATERIALIZED (
         SELECT kind, key FROM platform.due_work
         WHERE kind = $1 AND due_at <= platform.now() AND lane <> ALL($4::uuid[])
           AND (claimed_until IS NULL OR claimed_until < clock_timestamp())
         ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
       UPDATE platform.due_work w
       SET claim = $2, claimed_until = clock_timestamp() + interval '${CLAIM_SECONDS} seconds'
       FROM due WHERE w.kind = due.kind AND w.key = due.key
       RETURNING w.key, w.lane, w.attempt`,
      [kind, claim, limit, busyLanes],
    );
    return rows.map((row) => ({ ...row, claim }));
  }

  /** Ends claimed work. @returns false when the claim had lapsed and somebody else holds it: then write nothing. */
  async complete(kind: string, work: Claimed): Promise<boolean> {
    const rows = await this.database.write(
      `DELETE FROM platform.due_work WHERE kind = $1 AND key = $2 AND claim = $3 RETURNING key`,
      [kind, work.key, work.claim],
    );
    return rows.length === 1;
  }

  /** Puts claimed work back for another attempt. @returns false as `complete` does */
  async retry(kind: string, work: Claimed, dueAt: Date): Promise<boolean> {
    const rows = await this.database.write(
      `UPDATE platform.due_work SET due_at = $4, attempt = attempt + 1, claim = NULL, claimed_until = NULL
       WHERE kind = $1 AND key = $2 AND claim = $3 RETURNING key`,
      [kind, work.key, work.claim, dueAt],
    );
    return rows.length === 1;
  }
}
