import { Injectable } from '@nestjs/common';
import { Cell, newMarkedCode } from '#shared/kernel/cell.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { Branding } from '#contexts/identity/contract/account-branding.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import { PayerMails, type DueMail, mailOutcome } from '../../domain/receipts/payer-mails.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';
import { receiptMailOf, textOf, type ReceiptMail } from './receipt-mail.js';
import { Receipts } from './receipt.js';

export class ReceiptSettings {
  /** @param mailsPerDay receipt emails of one organization within 24 hours; further ones wait */
  constructor(readonly mailsPerDay: number = 5_000) {}
}

/** A mail beyond its organization's limit waits for so long. */
const WAITS_SECONDS = 1_800;

/** Queues the mail of a final payment in one unit of work with the removal of its address, so that none is queued twice. */
@Injectable()
export class SendReceiptMail {
  constructor(
    private readonly mails: PayerMails,
    private readonly receipts: Receipts,
    private readonly outgoing: OutgoingMails,
    private readonly urls: CheckoutUrls,
    private readonly unitOfWork: UnitOfWork,
    private readonly cell: Cell,
    private readonly settings: ReceiptSettings,
  ) {}

  /**
   * Other contexts are asked for parts of the receipt, so it is read before the unit of work.
   * @returns null where the mail was no longer due @throws MailQueueFull
   */
  async send(
    { requestId, receiptCode, language }: DueMail,
    toHtml: (mail: ReceiptMail, branding: Branding) => string,
  ): Promise<ReturnType<typeof mailOutcome> | null> {
    const { receipt, branding } = await this.receipts.find(receiptCode);
    return this.unitOfWork.run(async () => {
      const locked = await this.mails.lock(requestId);
      if (locked === null) return null;
      const outcome = mailOutcome(locked, this.settings.mailsPerDay);
      if (outcome === 'waits') {
        await this.mails.postpone(requestId, WAITS_SECONDS);
        return outcome;
      }
      const code = outcome === 'queued' ? newMarkedCode(this.cell) : null;
      if (code !== null) {
        const unsubscribeUrl = this.urls.unsubscribe(code);
        const mail = receiptMailOf(receipt, language, unsubscribeUrl);
        const { recipient, organizationId } = locked;
        await this.outgoing.queue(
          { ...textOf(mail), html: toHtml(mail, branding), recipient, unsubscribeUrl },
          organizationId,
        );
      }
      await this.mails.end(requestId, outcome, code);
      return outcome;
    });
  }
}
