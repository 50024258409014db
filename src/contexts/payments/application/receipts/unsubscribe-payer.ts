import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import { PayerMails } from '../../domain/receipts/payer-mails.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';

/** The recipient of a mail ends all mails of the organization to the address, those that wait to be sent too. */
@Injectable()
export class UnsubscribePayer {
  constructor(
    private readonly mails: PayerMails,
    private readonly outgoing: OutgoingMails,
    private readonly urls: CheckoutUrls,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Safe to repeat. @throws not_found */
  async unsubscribe(code: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const codes = await this.mails.unsubscribe(code);
      await this.outgoing.withdraw(codes.map((each) => this.urls.unsubscribe(each)));
    });
  }
}
