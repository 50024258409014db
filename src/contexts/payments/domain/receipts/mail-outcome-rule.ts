/** Receipt emails to one address within 24 hours, from all organizations. Further emails are dropped; their receipts stay available. */
export const MAILS_TO_ADDRESS_A_DAY = 5;

export type MailOutcome = 'queued' | 'unsubscribed' | 'limited';

/** Emails sent in the last 24 hours, and whether the address is unsubscribed from the organization. */
export interface SentMails {
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

export class ReceiptSettings {
  /** @param mailsPerDay limit per organization and 24 hours; further emails wait */
  constructor(readonly mailsPerDay: number = 5_000) {}
}
