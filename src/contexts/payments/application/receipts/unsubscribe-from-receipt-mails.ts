import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import { PayerMails } from '../../infrastructure/receipts/persistence/payer-mails.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';

@Injectable()
export class UnsubscribeFromReceiptMails {
  constructor(
    private readonly mails: PayerMails,
    private readonly outgoing: OutgoingMails,
    private readonly urls: CheckoutUrls,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async unsubscribe(code: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const codes = await this.mails.unsubscribe(code);
      await this.outgoing.withdraw(codes.map((each) => this.urls.mailUnsubscribe(each)));
    });
  }
}
