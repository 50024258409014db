import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { UncountedNotFound } from '#shared/kernel/domain-error.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { resolveMerchant } from '../../domain/requests/order.js';
import { isEnded } from '../../domain/requests/status.js';
import { findOpenAmountCoins } from '../checkout/open-amount-rule.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import {
  TillRequests,
  type RequestWithoutCheckout,
} from '../../infrastructure/till-codes/persistence/till-requests.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

/** A checkout has its alias as session id. */
export interface DisplayedSession {
  readonly session: CheckoutView;
  /** The request has no hosted page. Its session id is then empty. */
  readonly isDirect: boolean;
}

export interface TillCodeView {
  readonly point: PaymentPointOfSale;
  readonly coins: readonly string[];
  readonly shown?: DisplayedSession | undefined;
  readonly own?: CheckoutView | undefined;
}

/** Does not count as guessing a code, so that a page can poll. */
export function noOpenRequestError(): UncountedNotFound {
  return new UncountedNotFound(
    'not_found',
    'no_open_request',
    'There is nothing to pay here yet. Try again when the cashier has created a payment request.',
  );
}

@Injectable()
export class ReadTillCode {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: TillRequests,
    private readonly checkouts: CheckoutQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async read(code: string, ownSession?: string): Promise<TillCodeView> {
    const point = await this.pointsOfSale.findByCode(code);
    const coins = point.openAmount ? findOpenAmountCoins(point, this.catalogue.assets()) : [];
    const shown = await this.findDisplayedSession(point);
    const own = ownSession === undefined ? undefined : await this.findOwnSession(point, ownSession);
    return { point, coins, shown, own };
  }

  private async findOwnSession(
    { id }: PaymentPointOfSale,
    sessionId: string,
  ): Promise<CheckoutView | undefined> {
    const session = await this.checkouts.find(sessionId);
    return session?.pointOfSaleId === id && !isEnded(session.status) ? session : undefined;
  }

  private async findDisplayedSession(point: PaymentPointOfSale): Promise<DisplayedSession | undefined> {
    const found = await this.requests.findCurrent(point.id);
    if (found === undefined) return undefined;
    if ('direct' in found) return { session: toCheckoutSession(found.direct, point), isDirect: true };
    const session = await this.checkouts.find(found.alias);
    return session && { session, isDirect: false };
  }
}

function toCheckoutSession(
  { asked, ...facts }: RequestWithoutCheckout,
  point: PaymentPointOfSale,
): CheckoutView {
  return {
    ...facts,
    sessionId: '',
    amount: formatAmount(asked.amount, asked.decimals),
    coinCode: asked.currency,
    paymentOptions: [asked.uniqueAssetId],
    merchant: resolveMerchant(facts.order, point.merchant),
    frameOrigins: [],
    checkoutFirst: point.checkoutFirst,
    selected: { ...asked, receivedAmount: 0n, headNumber: 0, transfers: [] },
  };
}
