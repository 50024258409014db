import { Injectable } from '@nestjs/common';
import { Database } from '../../../../../shared/platform/database/database.js';
import { IDLE_MINUTES } from '../../../domain/people/session-limits.js';

const AT_ONCE = 1_000;

/** What can open nothing any more, by table. */
const OVER = {
  dashboard_sessions: `expires_at <= platform.now() OR last_seen_at <= platform.now() - interval '${IDLE_MINUTES} minutes'`,
  known_devices: 'expires_at <= platform.now()',
  sign_in_failures: "locked_until < platform.now() - interval '1 day'",
  invitations: 'expires_at <= platform.now()',
  password_resets: 'expires_at <= platform.now()',
} as const;

@Injectable()
export class PrunePeople {
  constructor(private readonly database: Database) {}

  /** @returns whether there may be more */
  async execute(): Promise<boolean> {
    let most = 0;
    for (const [table, isOver] of Object.entries(OVER)) {
      const gone = await this.database.query(
        `DELETE FROM identity.${table} WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM identity.${table} WHERE ${isOver} LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1`,
        [AT_ONCE],
      );
      most = Math.max(most, gone.length);
    }
    return most === AT_ONCE;
  }
}
