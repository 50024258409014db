/** Mails with receipts to one address within 24 hours, from all organizations; what is beyond is dropped, and the receipt stays. */
export const MAILS_TO_ADDRESS_A_DAY = 5;

export type MailOutcome = 'queued' | 'unsubscribed' | 'limited';

/** The numbers of the last 24 hours, and whether the address is unsubscribed from the organization. */
export interface SentMails {
  readonly unsubscribed: boolean;
  readonly toAddress: number;
  readonly fromOrganization: number;
}

/**
 * A mail costs a final payment, so the organization's limit only bounds what a stolen key could send at once.
 * @returns `waits` while the organization has sent `mailsPerDay`
 */
export function mailOutcome(sent: SentMails, mailsPerDay: number): MailOutcome | 'waits' {
  if (sent.unsubscribed) return 'unsubscribed';
  if (sent.toAddress >= MAILS_TO_ADDRESS_A_DAY) return 'limited';
  return sent.fromOrganization >= mailsPerDay ? 'waits' : 'queued';
}
