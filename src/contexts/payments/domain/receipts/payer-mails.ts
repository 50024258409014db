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

/** A payer requests the receipt by mail. */
export interface PayerMail {
  readonly recipient: string;
  readonly language: PageLanguage;
  /** Digest of the cookie of the payer's browser: only this one corrects the address. */
  readonly browser: Buffer;
}

/** The mails that payers and merchants have asked for, one for each request. */
export abstract class PayerMails {
  /**
   * Stores the address of the first browser that requests a mail, which may correct it until the mail is due; that of another browser
   * is ignored. The mail is due immediately if there is a receipt already. @throws CheckoutEnded if the request has ended unpaid
   */
  abstract ask(request: PaymentRequestId, mail: PayerMail): Promise<void>;

  /** The oldest first, of every tenant. */
  abstract due(limit: number): Promise<DueMail[]>;

  /**
   * Locks a due mail until the unit of work ends, and with it the counts of all mails.
   * @returns null where it is no longer due @throws outside a unit of work
   */
  abstract lock(request: PaymentRequestId): Promise<LockedMail | null>;

  /** Ends a locked mail: its address is removed. @param code of the URL to unsubscribe at; null where none is sent */
  abstract end(request: PaymentRequestId, outcome: MailOutcome, code: string | null): Promise<void>;

  /** Makes a mail due later. */
  abstract postpone(request: PaymentRequestId, seconds: number): Promise<void>;

  /**
   * Ends all mails of an organization to the address that a mail with this code went to. Safe to repeat.
   * @returns the codes of all mails to it @throws not_found, and outside a unit of work
   */
  abstract unsubscribe(code: string): Promise<readonly string[]>;

  /** Removes what is no longer needed, one step of it. @returns true when there may be more */
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
