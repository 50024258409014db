import { Injectable } from '@nestjs/common';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { MailQueueFull, OutgoingMails, type Mail } from '#contexts/identity/contract/outgoing-mails.js';
import { MAX_WAITING, storedMail } from '#contexts/identity/domain/people/outgoing-mail-rule.js';

export interface OutgoingMail extends Omit<Mail, 'html' | 'unsubscribeUrl' | 'attachment'> {
  readonly id: string;
  readonly html: string | null;
  readonly unsubscribeUrl: string | null;
  readonly attachment: Mail['attachment'] | null;
  readonly attempts: number;
}

/** The longest-lived link is valid for this long; an older mail is of no use. */
export const MAIL_KEPT_DAYS = 7;
/** A mail that can be unsubscribed; what it reports is seen elsewhere too. */
export const UNSUBSCRIBABLE_KEPT_DAYS = 1;

/** Mails that can be unsubscribed wait behind all others: by hundreds of them nobody's password reset is late. */
const DUE = `
SELECT id, recipient, subject, body, html, unsubscribe_url, attachment, attempts FROM identity.outgoing_mails
WHERE due_at <= platform.now() ORDER BY (unsubscribe_url IS NOT NULL), due_at, id LIMIT $1`;

@Injectable()
export class PostgresMails extends OutgoingMails {
  constructor(private readonly database: Database) {
    super();
  }

  async queue(mail: Mail, organization?: OrganizationId): Promise<void> {
    const { recipient, subject, body, html, unsubscribeUrl, attachment } = storedMail(mail);
    if (unsubscribeUrl !== undefined && organization === undefined)
      throw new RangeError('A mail that can be unsubscribed has an organization.');
    const rows = await this.database.write(
      `INSERT INTO identity.outgoing_mails (id, recipient, subject, body, html, unsubscribe_url, organization_id, attachment,
         due_at, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, now, now FROM platform.now() AS now
       WHERE $6::text IS NULL OR NOT EXISTS (
         (SELECT FROM identity.outgoing_mails WHERE (unsubscribe_url IS NOT NULL) OFFSET ${MAX_WAITING.ofAll - 1})
         UNION ALL
         (SELECT FROM identity.outgoing_mails
          WHERE organization_id = $7 AND unsubscribe_url IS NOT NULL OFFSET ${MAX_WAITING.ofOrganization - 1}))
       RETURNING 1`,
      [
        newId(),
        recipient,
        subject,
        body,
        html ?? null,
        unsubscribeUrl ?? null,
        organization ?? null,
        attachment ?? null,
      ],
    );
    if (rows.length === 0) throw new MailQueueFull();
  }

  async withdraw(unsubscribeUrls: readonly string[]): Promise<void> {
    await this.database.write(
      'DELETE FROM identity.outgoing_mails WHERE unsubscribe_url = ANY ($1::text[])',
      [unsubscribeUrls],
    );
  }

  async waiting(unsubscribeUrls: readonly string[]): Promise<number> {
    const [row] = await this.database.query<{ waiting: number }>(
      `SELECT count(DISTINCT unsubscribe_url) AS waiting FROM identity.outgoing_mails
       WHERE (unsubscribe_url IS NOT NULL) AND unsubscribe_url = ANY ($1::text[])`,
      [unsubscribeUrls],
    );
    return row!.waiting;
  }

  /** Mails that are due: first those without an address to unsubscribe at, then the oldest. */
  due(limit: number): Promise<OutgoingMail[]> {
    return this.database.query<OutgoingMail>(DUE, [limit]);
  }

  async sent(id: string): Promise<void> {
    await this.database.query('DELETE FROM identity.outgoing_mails WHERE id = $1', [id]);
  }

  /**
   * @param isPermanent the mail server will not take this mail: one that can be unsubscribed ends
   * @returns false where there is no other attempt, and the mail is deleted
   */
  async failed(id: string, retryAfterSeconds: number, isPermanent: boolean): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE identity.outgoing_mails SET attempts = attempts + 1, due_at = platform.now() + make_interval(secs => $2)
       WHERE id = $1 AND created_at > platform.now() - CASE WHEN unsubscribe_url IS NULL THEN interval '${MAIL_KEPT_DAYS} days'
         WHEN NOT $3 THEN interval '${UNSUBSCRIBABLE_KEPT_DAYS} day' END
       RETURNING 1`,
      [id, retryAfterSeconds, isPermanent],
    );
    if (rows.length === 0) await this.sent(id);
    return rows.length > 0;
  }
}
