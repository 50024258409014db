import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';

export const PRUNED_AT_ONCE = 500;

export const SIGN_IN_FAILURES_KEPT_DAYS = 1;

const EXPIRY_BY_TABLE = {
  dashboard_sessions: ['expires_at', 'platform.now()'],
  known_devices: ['expires_at', 'platform.now()'],
  sign_in_failures: ['locked_until', `platform.now() - interval '${SIGN_IN_FAILURES_KEPT_DAYS} days'`],
  invitations: ['expires_at', 'platform.now()'],
  pairing_codes: ['expires_at', 'platform.now()'],
  pending_secrets: ['expires_at', 'platform.now()'],
  shown_once: ['expires_at', 'platform.now()'],
  named_recipients: ['expires_at', 'platform.now()'],
  reset_links: ['expires_at', 'platform.now()'],
} as const;

/** `$1`: maximum number of rows; the longest-expired go first. */
export const PRUNE_STATEMENTS_BY_TABLE: Readonly<Record<keyof typeof EXPIRY_BY_TABLE, string>> =
  Object.fromEntries(
    Object.entries(EXPIRY_BY_TABLE).map(([table, [column, until]]) => [
      table,
      `DELETE FROM identity.${table} WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM identity.${table} WHERE ${column} <= ${until}
       ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
    ]),
  ) as Record<keyof typeof EXPIRY_BY_TABLE, string>;

const POLL_INTERVAL_MS = 60_000;

/** Several processes can run concurrently, because each skips locked rows. */
@Injectable()
export class PruneExpiredSignInData extends BackgroundWork {
  constructor(private readonly database: Database) {
    super([
      new BackgroundLoop({ name: 'pruning of sessions', idleMs: POLL_INTERVAL_MS }, () => this.prune()),
    ]);
  }

  async prune(limit = PRUNED_AT_ONCE): Promise<boolean> {
    let most = 0;
    for (const statement of Object.values(PRUNE_STATEMENTS_BY_TABLE)) {
      const deleted = await this.database.query(statement, [limit]);
      most = Math.max(most, deleted.length);
    }
    return most === limit;
  }
}
