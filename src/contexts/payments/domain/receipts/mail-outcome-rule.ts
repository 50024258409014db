/**
 * Maximum number of receipt emails to one address in 24 hours, from all organizations. Further emails are not sent,
 * but their receipts stay available.
 */
export const MAX_MAILS_PER_ADDRESS_AND_DAY = 5;

export type MailOutcome = 'queued' | 'unsubscribed' | 'limited';

/** Numbers of emails sent in the last 24 hours, and whether the address is unsubscribed from the organization. */
export interface SentMailCounts {
  readonly unsubscribed: boolean;
  readonly toAddress: number;
  readonly fromOrganization: number;
}

/**
 * Decides whether a receipt email is sent. The limit per organization bounds the emails that a stolen API key could
 * cause.
 * @returns `waits` if the organization has already sent `mailsPerDay` emails
 */
export function decideMailOutcome(sent: SentMailCounts, mailsPerDay: number): MailOutcome | 'waits' {
  if (sent.unsubscribed) return 'unsubscribed';
  if (sent.toAddress >= MAX_MAILS_PER_ADDRESS_AND_DAY) return 'limited';
  return sent.fromOrganization >= mailsPerDay ? 'waits' : 'queued';
}

export class ReceiptSettings {
  /** @param mailsPerDay maximum number of emails per organization in 24 hours; further emails wait */
  constructor(readonly mailsPerDay: number = 5_000) {}
}
