import { RateLimited } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Mail {
  /** A single e-mail address. */
  readonly recipient: string;
  /** White space and control characters are replaced with single spaces. */
  readonly subject: string;
  /** Plain text. Complete, so that readers do not need `html`. */
  readonly body: string;
  /** HTML version of the body, without external resources. */
  readonly html?: string;
  /**
   * One-click unsubscribe URL (`List-Unsubscribe`, RFC 8058): an unauthenticated `POST` to it unsubscribes. The body
   * must contain it too. Mails with this URL have lower priority, are limited per organization and in total, and are
   * dropped when the mail server rejects them permanently. Omit it for mails that a person has just requested.
   */
  readonly unsubscribeUrl?: string;
  readonly attachment?: { readonly filename: string; readonly content: string };
}

/** Too many mails with an unsubscribe URL are waiting. The mail was not stored; retry later. */
export class MailQueueFull extends RateLimited {
  constructor() {
    super(60, undefined, 'Too many emails are waiting to be sent.');
  }
}

/**
 * Queue of mails by priority: mails that a person requested for themselves, then mails to addresses that a person of an
 * organization typed, then mails with an unsubscribe URL. Organizations take turns.
 */
export abstract class OutgoingMails {
  /**
   * Stores a mail in the same transaction as the change that it reports. Delivery is retried for up to seven days, or
   * one day for mails with an unsubscribe URL. A mail is sent twice only if a process dies while sending. Requires a
   * unit of work.
   * @param organization the sender; required for a mail with an unsubscribe URL
   * @throws MailQueueFull; RangeError if the mail is too long, or its recipient or unsubscribe URL is not valid
   */
  abstract queue(mail: Mail, organization?: OrganizationId): Promise<void>;

  /**
   * Queues a mail to an address that a person of the organization typed, such as an invitation. Limited per
   * organization, and per address across all organizations. Concurrent calls for the same organization or address wait
   * for each other, so a unit of work with several recipients must sort them to avoid deadlocks.
   * @throws state_conflict at the daily limit; the errors of `queue`
   */
  abstract queueToTypedAddress(mail: Mail, organization: OrganizationId): Promise<void>;

  /** Removes waiting mails that have any of these unsubscribe URLs. Requires a unit of work. */
  abstract withdraw(unsubscribeUrls: readonly string[]): Promise<void>;

  abstract countWaiting(unsubscribeUrls: readonly string[]): Promise<number>;
}
