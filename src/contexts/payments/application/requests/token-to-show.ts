import { Injectable } from '@nestjs/common';
import type { CheckoutView } from './checkout-view.js';
import { PaymentTokens } from './payment-tokens.js';

/**
 * The token by which a session is to be paid now. One that names where a wallet asks leads to what is missing. One that
 * carries the payment asks for the whole amount, so once a part was received another one asks for the rest.
 */
@Injectable()
export class TokenToShow {
  constructor(private readonly tokens: PaymentTokens) {}

  /** @throws unavailable where the present keys expire before the session does */
  execute(session: CheckoutView): string {
    const { selected, token, status } = session;
    if (status !== 'processing' || selected === undefined) return token;
    const missing = selected.amount - selected.receivedAmount;
    if (missing <= 0n || missing === selected.amount || !this.tokens.carriesPayment(token)) return token;
    const order = session.order ?? { total: session.amount, coin_code: session.coinCode };
    return this.tokens.issue({ ...session, ...selected, order, amount: missing }, session.merchant);
  }
}
