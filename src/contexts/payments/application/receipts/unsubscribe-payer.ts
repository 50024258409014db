import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { OutgoingMails } from '#contexts/identity/contract/outgoing-mails.js';
import { PayerMails } from '../../infrastructure/receipts/persistence/payer-mails.js';
import { CheckoutUrls } from '../requests/checkout-urls.js';

/** Unsubscribes an email address from all emails of an organization, including queued ones. */
@Injectable()
export class UnsubscribePayer {
  constructor(
    private readonly mails: PayerMails,
    private readonly outgoing: OutgoingMails,
    private readonly urls: CheckoutUrls,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Idempotent. @throws not_found */
  async unsubscribe(code: string): Promise<void> {
    await this.unitOfWork.run(async () => {
      const codes = await this.mails.unsubscribe(code);
      await this.outgoing.withdraw(codes.map((each) => this.urls.unsubscribe(each)));
    });
  }
}
