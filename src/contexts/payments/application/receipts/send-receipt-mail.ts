import { Injectable } from '@nestjs/common';
import { DeploymentCell, newPublicCode } from '#shared/kernel/deployment-cell.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { Branding } from '#contexts/identity/contract/account-branding.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import { PayerMails, type DueMail } from '../../infrastructure/receipts/persistence/payer-mails.js';
import { decideMailOutcome, ReceiptSettings } from '../../domain/receipts/mail-outcome-rule.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import { buildReceiptMail, toPlainTextMail, type ReceiptMail } from './receipt-mail.js';
import { Receipts } from '../../infrastructure/receipts/persistence/receipts.js';

const POSTPONE_SECONDS = 1_800;

/** Queues the email and deletes the address in the same unit of work, so that no email is queued twice. */
@Injectable()
export class SendReceiptMail {
  constructor(
    private readonly mails: PayerMails,
    private readonly receipts: Receipts,
    private readonly outgoing: OutgoingMails,
    private readonly urls: CheckoutUrls,
    private readonly unitOfWork: UnitOfWork,
    private readonly cell: DeploymentCell,
    private readonly settings: ReceiptSettings,
  ) {}

  /** Reads the receipt before the unit of work, because other contexts provide parts of it. @throws MailQueueFull */
  async send(
    { requestId, receiptCode, language }: DueMail,
    toHtml: (mail: ReceiptMail, branding: Branding) => string,
  ): Promise<ReturnType<typeof decideMailOutcome> | null> {
    const { receipt, branding } = await this.receipts.find(receiptCode);
    return this.unitOfWork.run(async () => {
      const locked = await this.mails.lock(requestId);
      if (locked === null) return null;
      const outcome = decideMailOutcome(locked, this.settings.mailsPerDay);
      if (outcome === 'waits') {
        await this.mails.postpone(requestId, POSTPONE_SECONDS);
        return outcome;
      }
      const code = outcome === 'queued' ? newPublicCode(this.cell) : null;
      if (code !== null) {
        const unsubscribeUrl = this.urls.mailUnsubscribe(code);
        const mail = buildReceiptMail(receipt, language, unsubscribeUrl);
        const { recipient, organizationId } = locked;
        await this.outgoing.queue(
          { ...toPlainTextMail(mail), html: toHtml(mail, branding), recipient, unsubscribeUrl },
          organizationId,
        );
      }
      await this.mails.endMail(requestId, outcome, code);
      return outcome;
    });
  }
}
