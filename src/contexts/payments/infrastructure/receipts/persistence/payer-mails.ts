import { Injectable } from '@nestjs/common';
import { DeploymentCell, codeToLookUp } from '#shared/kernel/deployment-cell.js';
import { notFound } from '#shared/kernel/domain-error.js';
import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { Database } from '#shared/platform/database/database.js';
import { selectDueIdsRoundRobin } from '#shared/platform/database/in-turns.sql.js';
import { CheckoutEndedError } from '#contexts/payments/domain/requests/asset-change-rule.js';
import { isOneOf, UNPAID_ENDED_STATUSES } from '#contexts/payments/domain/requests/status.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import {
  ReceiptSettings,
  MAX_MAILS_PER_ADDRESS_AND_DAY,
  type MailOutcome,
  type SentMailCounts,
} from '#contexts/payments/domain/receipts/mail-outcome-rule.js';
import { UPSERT_PAYER_MAIL, mailValues } from '../../requests/persistence/receipts.sql.js';
import { ENDED_STATUSES_SQL } from '../../requests/persistence/status-and-deadline.sql.js';

export interface DueMail {
  readonly requestId: PaymentRequestId;
  readonly receiptCode: string;
  readonly language: PageLanguage;
}

export interface LockedMail extends SentMailCounts {
  readonly organizationId: OrganizationId;
  readonly recipient: string;
}

export interface PayerMail {
  readonly recipient: string;
  readonly language: PageLanguage;
  /** Only this browser can correct the email address. */
  readonly browser: Buffer;
}

/** After these days, the digest of the email address is removed. */
export const UNSUBSCRIBE_LINK_DAYS = 365;
/** Counted from the unpaid end of the request. */
export const UNPAID_EMAIL_RETENTION_HOURS = 24;
export const PAYER_MAILS_PRUNED_PER_BATCH = 500;

const countSentMailsSql = (condition: string, limit: number) => `(SELECT count(*)::integer FROM (
  SELECT FROM payments.payer_mails s WHERE ${condition} AND s.outcome = 'queued'
    AND s.ended_at > platform.now() - interval '24 hours' LIMIT ${limit}) sent)`;

export const DUE_PAYER_MAILS = `SELECT m.payment_request_id AS request_id, p.code AS receipt_code, m.language
FROM ${selectDueIdsRoundRobin({
  table: 'payments.payer_mails',
  id: 'payment_request_id',
  waits: 't.outcome IS NULL AND t.due_at IS NOT NULL',
  isDue: 't.due_at <= platform.now()',
  oldestFirst: 't.due_at',
  limit: '$1',
})} taken
CROSS JOIN LATERAL (SELECT * FROM payments.payer_mails WHERE payment_request_id = taken.id OFFSET 0) m
CROSS JOIN LATERAL (SELECT code FROM payments.receipts WHERE payment_request_id = taken.id OFFSET 0) p
ORDER BY taken.turn, m.due_at`;

@Injectable()
export class PayerMails {
  constructor(
    private readonly database: Database,
    private readonly cell: DeploymentCell,
    private readonly settings: ReceiptSettings,
  ) {}

  /**
   * Only the first browser that requests an email can correct the address.
   * @throws CheckoutEndedError if the request ended unpaid
   */
  async requestMail(request: PaymentRequestId, { recipient, language, browser }: PayerMail): Promise<void> {
    // The outcome is stored under the same lock: it finds this email, or the statement below finds the receipt.
    const [row] = await this.database.queryInTransaction<{ status: PaymentRequestStatus }>(
      'SELECT status FROM payments.payment_requests WHERE id = $1 FOR SHARE',
      [request],
    );
    if (row === undefined || isOneOf(UNPAID_ENDED_STATUSES, row.status)) throw new CheckoutEndedError();
    await this.database.queryInTransaction(
      UPSERT_PAYER_MAIL,
      mailValues(request, { recipient, language, browser, askedBy: 'payer' }),
    );
  }

  listDue(limit: number): Promise<DueMail[]> {
    return this.database.query<DueMail>(DUE_PAYER_MAILS, [limit]);
  }

  /** Locks also the counts of all emails until the unit of work ends. Null if the email is no longer due. */
  async lock(request: PaymentRequestId): Promise<LockedMail | null> {
    await this.lockAll();
    const [row] = await this.database.queryInTransaction<LockedMail>(
      `SELECT m.recipient, m.organization_id,
         EXISTS (SELECT FROM payments.unsubscribed_addresses u
                 WHERE (u.organization_id, u.address_digest) = (m.organization_id, m.address_digest)) AS unsubscribed,
         ${countSentMailsSql('s.address_digest = m.address_digest', MAX_MAILS_PER_ADDRESS_AND_DAY)} AS to_address,
         ${countSentMailsSql('s.organization_id = m.organization_id', this.settings.mailsPerDay)} AS from_organization
       FROM payments.payer_mails m
       WHERE m.payment_request_id = $1 AND m.outcome IS NULL AND m.due_at IS NOT NULL FOR UPDATE OF m`,
      [request],
    );
    return row ?? null;
  }

  /** @param code code of the unsubscribe URL; null if no email is sent */
  async endMail(request: PaymentRequestId, outcome: MailOutcome, code: string | null): Promise<void> {
    await this.database.queryInTransaction(
      `UPDATE payments.payer_mails SET outcome = $2, code = $3, ended_at = platform.now(), recipient = NULL
       WHERE payment_request_id = $1`,
      [request, outcome, code],
    );
  }

  async postpone(request: PaymentRequestId, seconds: number): Promise<void> {
    await this.database.query(
      `UPDATE payments.payer_mails SET due_at = platform.now() + make_interval(secs => $2)
       WHERE payment_request_id = $1 AND outcome IS NULL`,
      [request, seconds],
    );
  }

  /** Idempotent. Returns the codes of all emails to the address. */
  async unsubscribe(code: string): Promise<readonly string[]> {
    const known = [codeToLookUp(code, this.cell)];
    const mails = await this.database.queryInTransaction(
      'SELECT FROM payments.payer_mails WHERE code = $1',
      known,
    );
    if (mails.length === 0) throw notFound('mail');
    await this.lockAll();
    const all = await this.database.queryInTransaction<{ code: string }>(
      `WITH mail AS (SELECT organization_id, address_digest FROM payments.payer_mails WHERE code = $1), added AS (
         INSERT INTO payments.unsubscribed_addresses (organization_id, address_digest, unsubscribed_at)
         SELECT organization_id, address_digest, platform.now() FROM mail ON CONFLICT DO NOTHING)
       SELECT s.code FROM payments.payer_mails s JOIN mail USING (organization_id, address_digest)
       WHERE s.outcome = 'queued'`,
      known,
    );
    return all.map((each) => each.code);
  }

  /** Serializes all processes, so that two of them cannot both queue the last email that a limit allows. */
  private async lockAll(): Promise<void> {
    await this.database.queryInTransaction(
      `SELECT pg_advisory_xact_lock(hashtextextended('payments.payer_mails', 0))`,
    );
  }

  async prune(): Promise<boolean> {
    const steps = [
      `ended_at < platform.now() - interval '${UNSUBSCRIBE_LINK_DAYS} days'`,
      `due_at IS NULL AND asked_at < platform.now() - interval '${UNPAID_EMAIL_RETENTION_HOURS} hours' AND NOT EXISTS (
         SELECT FROM payments.payment_requests r WHERE r.id = payment_request_id AND r.status NOT IN ${ENDED_STATUSES_SQL})`,
    ];
    let isMore = false;
    for (const step of steps) {
      const removed = await this.database.query(
        `DELETE FROM payments.payer_mails WHERE payment_request_id IN (
           SELECT payment_request_id FROM payments.payer_mails WHERE ${step}
           LIMIT ${PAYER_MAILS_PRUNED_PER_BATCH} FOR UPDATE SKIP LOCKED)
         RETURNING payment_request_id`,
      );
      isMore ||= removed.length === PAYER_MAILS_PRUNED_PER_BATCH;
    }
    return isMore;
  }
}
