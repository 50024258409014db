import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import type { MailOutcome, SentMails } from './payer-mail-rule.js';

export interface DueMail {
  readonly requestId: PaymentRequestId;
  readonly receiptCode: string;
  readonly language: PageLanguage;
}

export interface LockedMail extends SentMails {
  readonly organizationId: OrganizationId;
  readonly recipient: string;
}

/** The mails that payers and merchants have asked for, one for each request. */
export abstract class PayerMails {
  /**
   * Stores the address of a payer, or corrects it until the mail is due. A request that has its receipt already has its mail due
   * at once. @throws CheckoutEnded where the request has ended unpaid
   */
  abstract ask(request: PaymentRequestId, recipient: string, language: PageLanguage): Promise<void>;

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
