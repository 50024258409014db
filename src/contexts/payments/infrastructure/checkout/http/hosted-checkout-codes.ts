import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { CheckoutCodes, type SessionCodes } from '#contexts/payments/contract/checkout-codes.js';
import { LiveCheckouts } from '../polling/live-checkouts.js';
import { CheckoutPageModels } from './checkout-page-models.js';

@Injectable()
export class HostedCheckoutCodes extends CheckoutCodes {
  constructor(
    private readonly live: LiveCheckouts,
    private readonly pages: CheckoutPageModels,
    private readonly urls: CheckoutUrls,
    private readonly clock: Clock,
  ) {
    super();
  }

  async read(sessionId: string): Promise<SessionCodes> {
    const { view, etag } = await this.live.readFromDatabase(sessionId);
    const now = await this.clock.now();
    const { token, selected, options, receiptCode } = await this.pages.modelOf(view, etag, now);
    return {
      ...{ now, token, selected, options },
      pageUrl: this.urls.forWallets(sessionId),
      receiptUrl: receiptCode === undefined ? undefined : this.urls.receipt(receiptCode),
    };
  }
}
