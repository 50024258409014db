import { RateLimited } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';

export interface Mail {
  /** One address. */
  readonly recipient: string;
  /** White space and control characters in it become single spaces. */
  readonly subject: string;
  /** Plain text that is complete without `html`: some mail programs show this alone. */
  readonly body: string;
  /** The same as HTML, without anything that is loaded from elsewhere. */
  readonly html?: string;
  /**
   * An address that ends such mails: a `POST` to it from anybody, without a session and from another site, is enough
   * (`List-Unsubscribe`, RFC 8058). The text names it too. Mails that have one wait behind those that have none, are about
   * bounded in number, of an organization and in all, and end where the mail server refuses them for good; a mail that a
   * person has just asked for has none.
   */
  readonly unsubscribeUrl?: string;
  /** A small text file. */
  readonly attachment?: { readonly filename: string; readonly content: string };
}

/** Too many mails that can be unsubscribed wait already. Nothing is stored; the same call succeeds later. */
export class MailQueueFull extends RateLimited {
  constructor() {
    super(60, undefined, 'Too many emails are waiting to be sent.');
  }
}

/**
 * Mails to anybody, by the operator's mail server. Mails that a person just requested for themselves go first, then those to addresses
 * that an organization named, then those that can be unsubscribed. Organizations take turns.
 */
export abstract class OutgoingMails {
  /**
   * Stores a mail together with the change that it reports; it is sent soon after, for up to seven days, one day where it can be
   * unsubscribed, and twice only where a process dies while it sends. Refuses to run outside a unit of work.
   * @param organization the sender, which a mail that can be unsubscribed must have
   * @throws MailQueueFull; RangeError for a mail that is too long or whose recipient or address is no single one
   */
  abstract queue(mail: Mail, organization?: OrganizationId): Promise<void>;

  /**
   * Queues a mail to an address that somebody of the organization has typed, such as an invitation. Their number is limited for each
   * organization, and for each address across all organizations. Concurrent calls for one organization or address wait for each other,
   * so a unit of work with several addresses must sort them.
   * @throws state_conflict at the limit of a day; as `queue`
   */
  abstract queueToNamed(mail: Mail, organization: OrganizationId): Promise<void>;

  /** Removes waiting mails that have one of these addresses to unsubscribe at. Refuses to run outside a unit of work. */
  abstract withdraw(unsubscribeUrls: readonly string[]): Promise<void>;

  /** The number of these addresses to unsubscribe at for which a mail waits. */
  abstract waiting(unsubscribeUrls: readonly string[]): Promise<number>;
}
