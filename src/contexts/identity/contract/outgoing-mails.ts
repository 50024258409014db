import { RateLimited } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Mail {
  readonly recipient: string;
  /** White space and control characters become single spaces. */
  readonly subject: string;
  /** Complete, so that readers do not need `html`. */
  readonly body: string;
  /** Without external resources. */
  readonly html?: string;
  /**
   * One-click unsubscribe URL (RFC 8058); the body must contain it too. Mails with it have lower priority and limits.
   * Omit it for mails that a person has just requested.
   */
  readonly unsubscribeUrl?: string;
  readonly attachment?: { readonly filename: string; readonly content: string };
}

export class MailQueueFull extends RateLimited {
  constructor() {
    super(60, undefined, 'Too many emails are waiting to be sent.');
  }
}

/**
 * Priorities: requested by the recipient, typed by a person of an organization, with an unsubscribe URL.
 * Organizations take turns.
 */
export abstract class OutgoingMails {
  /**
   * Requires a unit of work. Sent twice only if a process dies while sending. @param organization required with an
   * unsubscribe URL @throws MailQueueFull; RangeError
   */
  abstract queue(mail: Mail, organization?: OrganizationId): Promise<void>;

  /**
   * Limited per organization and per address. Concurrent calls for an address wait for each other, so sort several
   * recipients to avoid deadlocks. @throws state_conflict at the daily limit
   */
  abstract queueToTypedAddress(mail: Mail, organization: OrganizationId): Promise<void>;

  abstract withdraw(unsubscribeUrls: readonly string[]): Promise<void>;

  abstract countWaiting(unsubscribeUrls: readonly string[]): Promise<number>;
}
