import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { Database } from '#shared/platform/database/database.js';
import { MailQueueFull, OutgoingMails, type Mail } from '#contexts/identity/contract/outgoing-mails.js';
import {
  MAX_WAITING_MAILS,
  MAX_DAILY_MAILS_TO_TYPED_ADDRESSES,
  prepareMailForStorage,
} from '#contexts/identity/domain/people/outgoing-mail-rule.js';

export interface OutgoingMail extends Omit<Mail, 'html' | 'unsubscribeUrl' | 'attachment'> {
  readonly id: string;
  readonly html: string | null;
  readonly unsubscribeUrl: string | null;
  readonly attachment: Mail['attachment'] | null;
  readonly attempts: number;
}

export const TYPED_ADDRESS_LIMIT_DAYS = 1;
/** Every link in a mail has expired by then. */
export const MAIL_KEPT_DAYS = 7;
/** Their content is also available elsewhere. */
export const UNSUBSCRIBABLE_KEPT_DAYS = 1;

/**
 * Lane 0: requested by the recipient. Lane 1: typed by an organization. Lane 2: with an unsubscribe URL.
 * Organizations take turns within a lane.
 */
const SELECT_DUE_MAILS = `
SELECT m.id, m.recipient, m.subject, m.body, m.html, m.unsubscribe_url, m.attachment, m.attempts
FROM (SELECT id, due_at, lane, row_number() OVER (PARTITION BY lane, organization_id ORDER BY due_at, id) AS turn
  FROM identity.outgoing_mails, LATERAL (SELECT
    CASE WHEN organization_id IS NULL THEN 0 WHEN unsubscribe_url IS NULL THEN 1 ELSE 2 END AS lane) AS l
  WHERE due_at <= platform.now() ORDER BY lane, turn, due_at, id LIMIT $1) AS d
JOIN identity.outgoing_mails AS m ON m.id = d.id ORDER BY d.lane, d.turn, d.due_at, d.id`;

const ADDRESS_LIMIT_MESSAGE =
  'This address has reached the daily limit of invitations and confirmation e-mails. Try again tomorrow.';
const LIMIT_MESSAGES = {
  organization:
    'Your organization has reached the daily limit of invitations and confirmation e-mails. Try again tomorrow.',
  address: ADDRESS_LIMIT_MESSAGE,
  everywhere: ADDRESS_LIMIT_MESSAGE,
} as const;

@Injectable()
export class OutgoingMailQueue extends OutgoingMails {
  constructor(private readonly database: Database) {
    super();
  }

  async queue(mail: Mail, organization?: OrganizationId): Promise<void> {
    const { recipient, subject, body, html, unsubscribeUrl, attachment } = prepareMailForStorage(mail);
    if (unsubscribeUrl !== undefined && organization === undefined)
      throw new RangeError('An email with an unsubscribe link must belong to an organization.');
    const rows = await this.database.queryInTransaction(
      `INSERT INTO identity.outgoing_mails (id, recipient, subject, body, html, unsubscribe_url, organization_id, attachment,
         due_at, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, now, now FROM platform.now() AS now
       WHERE $6::text IS NULL OR NOT EXISTS (
         (SELECT FROM identity.outgoing_mails WHERE (unsubscribe_url IS NOT NULL) OFFSET ${MAX_WAITING_MAILS.ofAll - 1})
         UNION ALL
         (SELECT FROM identity.outgoing_mails
          WHERE organization_id = $7 AND unsubscribe_url IS NOT NULL OFFSET ${MAX_WAITING_MAILS.ofOrganization - 1}))
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

  async queueToTypedAddress(mail: Mail, organization: OrganizationId): Promise<void> {
    const digest = createHash('sha256').update(mail.recipient).digest();
    for (const bounded of [organization, digest.toString('hex')])
      await this.database.queryInTransaction(
        `SELECT pg_advisory_xact_lock(hashtextextended('named recipient ' || $1, 0))`,
        [bounded],
      );
    // A separate statement sees the rows committed while the previous ones waited for locks.
    const [sent] = await this.database.queryInTransaction<
      Record<keyof typeof MAX_DAILY_MAILS_TO_TYPED_ADDRESSES, number>
    >(
      `SELECT count(*) FILTER (WHERE organization_id = $1) AS organization,
         count(*) FILTER (WHERE organization_id = $1 AND recipient_digest = $2) AS address,
         count(*) FILTER (WHERE recipient_digest = $2) AS everywhere
       FROM identity.named_recipients WHERE (organization_id = $1 OR recipient_digest = $2) AND expires_at > platform.now()`,
      [organization, digest],
    );
    for (const limit of ['address', 'everywhere', 'organization'] as const)
      if (sent![limit] >= MAX_DAILY_MAILS_TO_TYPED_ADDRESSES[limit])
        throw stateConflict(LIMIT_MESSAGES[limit]);
    await this.database.queryInTransaction(
      `INSERT INTO identity.named_recipients (id, organization_id, recipient_digest, expires_at)
       VALUES ($1, $2, $3, platform.now() + interval '${TYPED_ADDRESS_LIMIT_DAYS} day')`,
      [newId(), organization, digest],
    );
    await this.queue(mail, organization);
  }

  async withdraw(unsubscribeUrls: readonly string[]): Promise<void> {
    await this.database.queryInTransaction(
      'DELETE FROM identity.outgoing_mails WHERE unsubscribe_url = ANY ($1::text[])',
      [unsubscribeUrls],
    );
  }

  async countWaiting(unsubscribeUrls: readonly string[]): Promise<number> {
    const [row] = await this.database.query<{ waiting: number }>(
      `SELECT count(DISTINCT unsubscribe_url) AS waiting FROM identity.outgoing_mails
       WHERE (unsubscribe_url IS NOT NULL) AND unsubscribe_url = ANY ($1::text[])`,
      [unsubscribeUrls],
    );
    return row!.waiting;
  }

  findDue(limit: number): Promise<OutgoingMail[]> {
    return this.database.query<OutgoingMail>(SELECT_DUE_MAILS, [limit]);
  }

  async removeSent(id: string): Promise<void> {
    await this.database.query('DELETE FROM identity.outgoing_mails WHERE id = $1', [id]);
  }

  /**
   * @param isPermanent the mail server rejected the mail; deletes one with an unsubscribe URL @returns false if the
   * mail was deleted
   */
  async retryOrRemove(id: string, retryAfterSeconds: number, isPermanent: boolean): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE identity.outgoing_mails SET attempts = attempts + 1, due_at = platform.now() + make_interval(secs => $2)
       WHERE id = $1 AND created_at > platform.now() - CASE WHEN unsubscribe_url IS NULL THEN interval '${MAIL_KEPT_DAYS} days'
         WHEN NOT $3 THEN interval '${UNSUBSCRIBABLE_KEPT_DAYS} day' END
       RETURNING 1`,
      [id, retryAfterSeconds, isPermanent],
    );
    if (rows.length === 0) await this.removeSent(id);
    return rows.length > 0;
  }
}
