import { Injectable } from '@nestjs/common';
import { PaymentLinkSessions } from '../../infrastructure/links/persistence/payment-link-sessions.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { PricedPaymentLinks, type PricedPaymentLink } from './priced-payment-links.js';

export type PaymentLinkView =
  | { readonly session: CheckoutView; readonly offered?: never }
  | { readonly session?: never; readonly offered: PricedPaymentLink };

@Injectable()
export class ReadPaymentLink {
  constructor(
    private readonly links: PaymentLinks,
    private readonly sessions: PaymentLinkSessions,
    private readonly checkouts: CheckoutQueries,
    private readonly offered: PricedPaymentLinks,
  ) {}

  /** @param payerSecret undefined without a cookie @throws not_found */
  async read(code: string, payerSecret: string | undefined): Promise<PaymentLinkView> {
    const link = await this.links.findActive(code);
    const known = payerSecret === undefined ? undefined : await this.sessions.find(link.id, payerSecret);
    const session = known && (await this.checkouts.find(known.sessionId));
    return session === undefined ? { offered: await this.offered.priceLink(link) } : { session };
  }
}
