import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';

export interface DueMail {
  readonly requestId: PaymentRequestId;
  readonly receiptCode: string;
  readonly language: PageLanguage;
}

export interface LockedMail extends SentMails {
  readonly organizationId: OrganizationId;
  readonly recipient: string;
}

export interface PayerMail {
  readonly recipient: string;
  readonly language: PageLanguage;
  /** Digest of the cookie of the payer's browser. Only this browser can correct the address. */
  readonly browser: Buffer;
}

/** One receipt email per request. */
export abstract class PayerMails {
  /**
   * Stores the address from the first browser that requests an email. Only that browser can correct it, until the email is due.
   * The email is due immediately if there is a receipt already.
   * @throws CheckoutEnded if the request ended unpaid
   */
  abstract ask(request: PaymentRequestId, mail: PayerMail): Promise<void>;

  /** All tenants, oldest first. */
  abstract due(limit: number): Promise<DueMail[]>;

  /**
   * Locks a due email, and the counts of all emails, until the unit of work ends.
   * @returns null if the email is no longer due @throws outside a unit of work
   */
  abstract lock(request: PaymentRequestId): Promise<LockedMail | null>;

  /** Ends a locked email and removes its address. @param code of the unsubscribe URL; null if no email is sent */
  abstract end(request: PaymentRequestId, outcome: MailOutcome, code: string | null): Promise<void>;

  abstract postpone(request: PaymentRequestId, seconds: number): Promise<void>;

  /**
   * Ends all emails of an organization to the address that received the email with this code. Idempotent.
   * @returns the codes of all emails to this address @throws not_found, and outside a unit of work
   */
  abstract unsubscribe(code: string): Promise<readonly string[]>;

  /** Removes a batch of rows that are no longer needed. @returns true if there may be more */
  abstract prune(): Promise<boolean>;
}

/** Receipt emails to one address within 24 hours, from all organizations. Further emails are dropped; their receipts stay available. */
export const MAILS_TO_ADDRESS_A_DAY = 5;

export type MailOutcome = 'queued' | 'unsubscribed' | 'limited';

/** Emails sent in the last 24 hours, and whether the address is unsubscribed from the organization. */
interface SentMails {
  readonly unsubscribed: boolean;
  readonly toAddress: number;
  readonly fromOrganization: number;
}

/**
 * Every email requires a final payment. The limit per organization bounds the emails that a stolen key could send.
 * @returns `waits` while the organization has sent `mailsPerDay`
 */
export function mailOutcome(sent: SentMails, mailsPerDay: number): MailOutcome | 'waits' {
  if (sent.unsubscribed) return 'unsubscribed';
  if (sent.toAddress >= MAILS_TO_ADDRESS_A_DAY) return 'limited';
  return sent.fromOrganization >= mailsPerDay ? 'waits' : 'queued';
}
