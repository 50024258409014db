import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { Mails, type Mail } from '#contexts/identity/domain/people/mails.js';

export interface OutgoingMail extends Mail {
  readonly id: string;
  readonly attempts: number;
}

/** The longest-lived link is valid for this long; an older mail is of no use. */
export const MAIL_KEPT_DAYS = 7;

@Injectable()
export class PostgresMails extends Mails {
  constructor(private readonly database: Database) {
    super();
  }

  async queue({ recipient, subject, body }: Mail): Promise<void> {
    await this.database.write(
      `INSERT INTO identity.outgoing_mails (id, recipient, subject, body, due_at, created_at)
       VALUES ($1, $2, $3, $4, platform.now(), platform.now())`,
      [newId(), recipient, subject, body],
    );
  }

  /** Mails that are due, oldest first. */
  due(limit: number): Promise<OutgoingMail[]> {
    return this.database.query<OutgoingMail>(
      `SELECT id, recipient, subject, body, attempts FROM identity.outgoing_mails
       WHERE due_at <= platform.now() ORDER BY due_at, id LIMIT $1`,
      [limit],
    );
  }

  async sent(id: string): Promise<void> {
    await this.database.query('DELETE FROM identity.outgoing_mails WHERE id = $1', [id]);
  }

  /** @returns false where the mail is too old for another attempt, and is deleted */
  async failed(id: string, retryAfterSeconds: number): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE identity.outgoing_mails SET attempts = attempts + 1, due_at = platform.now() + make_interval(secs => $2)
       WHERE id = $1 AND created_at > platform.now() - interval '${MAIL_KEPT_DAYS} days' RETURNING 1`,
      [id, retryAfterSeconds],
    );
    if (rows.length === 0) await this.sent(id);
    return rows.length > 0;
  }
}
