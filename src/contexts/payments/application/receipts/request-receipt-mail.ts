import { Injectable } from '@nestjs/common';
import { requireEmail } from '#shared/kernel/email-address.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import type { PageLanguage } from '#shared/web/messages/languages.js';
import { PayerMails } from '../../infrastructure/receipts/persistence/payer-mails.js';
import { CheckoutQueries, sessionNotFoundError } from '../checkout/checkout-session.js';

@Injectable()
export class RequestReceiptMail {
  constructor(
    private readonly sessions: CheckoutQueries,
    private readonly mails: PayerMails,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Does not reveal whether the address is unsubscribed or another address was already provided.
   * @param browser digest of the payer's cookie
   * @throws not_found, also for an alias, whose holder may not be the payer; validation_failed on `email`;
   * CheckoutEnded
   */
  async registerRecipient(
    sessionId: string,
    email: string,
    language: PageLanguage,
    browser: Buffer,
  ): Promise<void> {
    const recipient = requireEmail(email);
    const session = await this.sessions.get(sessionId);
    if (session.isAlias === true) throw sessionNotFoundError();
    await this.unitOfWork.run(() => this.mails.requestMail(session.id, { recipient, language, browser }));
  }
}
