/** Counts emails from all organizations in 24 hours. Receipts of emails that are not sent stay available. */
export const MAX_MAILS_PER_ADDRESS_AND_DAY = 5;

export type MailOutcome = 'queued' | 'unsubscribed' | 'limited';

/** Numbers of emails in the last 24 hours. */
export interface SentMailCounts {
  readonly unsubscribed: boolean;
  readonly toAddress: number;
  readonly fromOrganization: number;
}

/** The limit per organization bounds the emails that a stolen API key could cause. */
export function decideMailOutcome(sent: SentMailCounts, mailsPerDay: number): MailOutcome | 'waits' {
  if (sent.unsubscribed) return 'unsubscribed';
  if (sent.toAddress >= MAX_MAILS_PER_ADDRESS_AND_DAY) return 'limited';
  return sent.fromOrganization >= mailsPerDay ? 'waits' : 'queued';
}

export class ReceiptSettings {
  /** @param mailsPerDay per organization in 24 hours; further emails wait */
  constructor(readonly mailsPerDay: number = 5_000) {}
}
