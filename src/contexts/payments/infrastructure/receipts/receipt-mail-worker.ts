import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { SendReceiptMail } from '../../application/receipts/send-receipt-mail.js';
import { PayerMails, type DueMail } from './persistence/payer-mails.js';
import { renderReceiptMail } from './receipt-mail-html.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { PAYMENTS_LOG_EVENTS } from '../log-events.js';

const POLL_EVERY_MS = 2_000;
const PRUNE_EVERY_MS = 60_000;
const MAILS_QUEUED_AT_ONCE = 20;
const RETRY_SECONDS = 60;

@Injectable()
export class ReceiptMailWorker extends BackgroundWork {
  private readonly log = new OperatorLogWriter('receipts', PAYMENTS_LOG_EVENTS);

  constructor(
    private readonly mails: PayerMails,
    private readonly sendMail: SendReceiptMail,
    leases: Leases,
  ) {
    const [sending, pruning] = ['mails with receipts', 'pruning of mails with receipts'];
    super([
      new LeasedLoop({ name: sending, idleMs: POLL_EVERY_MS }, leases, () => this.runIteration()),
      new LeasedLoop({ name: pruning, idleMs: PRUNE_EVERY_MS }, leases, () => mails.prune()),
    ]);
  }

  private async runIteration(): Promise<boolean> {
    const due = await this.mails.listDue(MAILS_QUEUED_AT_ONCE);
    for (const mail of due) await this.send(mail);
    return due.length === MAILS_QUEUED_AT_ONCE;
  }

  private async send(mail: DueMail): Promise<void> {
    const about = { payment_request_id: mail.requestId };
    try {
      const outcome = await this.sendMail.send(mail, renderReceiptMail);
      if (outcome === 'limited') this.log.write('receipt_mail.dropped', about);
      if (outcome === 'waits') this.log.write('receipt_mail.limited', about);
    } catch (error) {
      const retry = { retry_in_seconds: RETRY_SECONDS, reason: String(error) };
      this.log.write('receipt_mail.delayed', { ...about, ...retry });
      await this.mails.postpone(mail.requestId, RETRY_SECONDS);
    }
  }
}
