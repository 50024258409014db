import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { CheckoutUrls } from '#contexts/payments/application/requests/checkout-urls.js';
import { CheckoutQrCodes, type CheckoutQrContent } from '#contexts/payments/contract/checkout-qr-codes.js';
import { CachedCheckoutReader } from '../polling/cached-checkout-reader.js';
import { CheckoutPageModels } from './checkout-page-models.js';

@Injectable()
export class HostedCheckoutQrCodes extends CheckoutQrCodes {
  constructor(
    private readonly live: CachedCheckoutReader,
    private readonly pages: CheckoutPageModels,
    private readonly urls: CheckoutUrls,
    private readonly clock: Clock,
  ) {
    super();
  }

  async read(sessionId: string): Promise<CheckoutQrContent> {
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
