import { Injectable } from '@nestjs/common';
import { formatAmount } from '#shared/kernel/amount.js';
import { UncountedNotFound } from '#shared/kernel/domain-error.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { merchantOf } from '../../domain/requests/order.js';
import { isEnded } from '../../domain/requests/status.js';
import { payerCoins } from '../checkout/open-amount-rule.js';
import { CheckoutQueries } from '../checkout/checkout-session.js';
import {
  TillRequests,
  type DirectRequest,
} from '../../infrastructure/till-codes/persistence/till-requests.js';
import type { CheckoutView } from '../requests/payment-request-view.js';

/** A checkout is identified by its alias. */
export interface ShownSession {
  readonly session: CheckoutView;
  /** The request has no hosted page, and the session id is empty. */
  readonly isDirect: boolean;
}

export interface TillCodeView {
  readonly point: CollectingPoint;
  /** Coins in which payers may type an amount; empty if they may not. */
  readonly coins: readonly string[];
  readonly shown?: ShownSession | undefined;
  /** Open session for an amount that the caller typed here. */
  readonly own?: CheckoutView | undefined;
}

/** Error if there is nothing to pay now. Does not count as a guess, so that a page can poll. */
export function noOpenRequest(): UncountedNotFound {
  return new UncountedNotFound(
    'not_found',
    'no_open_request',
    'There is nothing to pay here yet. Try again when the cashier has created a payment request.',
  );
}

/** Reads the payment due at the point of sale with the printed code. Opens nothing. */
@Injectable()
export class ReadTillCode {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: TillRequests,
    private readonly checkouts: CheckoutQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /**
   * @param ownSession session that the caller opened here by typing an amount
   * @throws not_found if no physical point of sale has the code
   */
  async read(code: string, ownSession?: string): Promise<TillCodeView> {
    const point = await this.pointsOfSale.findByCode(code);
    const coins = point.openAmount ? payerCoins(point, this.catalogue.assets()) : [];
    const shown = await this.shownOn(point);
    const own = ownSession === undefined ? undefined : await this.ownOn(point, ownSession);
    return { point, coins, shown, own };
  }

  private async ownOn({ id }: CollectingPoint, sessionId: string): Promise<CheckoutView | undefined> {
    const session = await this.checkouts.find(sessionId);
    return session?.pointOfSaleId === id && !isEnded(session.status) ? session : undefined;
  }

  private async shownOn(point: CollectingPoint): Promise<ShownSession | undefined> {
    const found = await this.requests.shownOn(point.id);
    if (found === undefined) return undefined;
    if ('direct' in found) return { session: sessionOf(found.direct, point), isDirect: true };
    const session = await this.checkouts.find(found.alias);
    return session && { session, isDirect: false };
  }
}

/** Presents a request in one asset as a session with a selected asset. */
function sessionOf({ asked, ...facts }: DirectRequest, point: CollectingPoint): CheckoutView {
  return {
    ...facts,
    sessionId: '',
    amount: formatAmount(asked.amount, asked.decimals),
    coinCode: asked.currency,
    paymentOptions: [asked.uniqueAssetId],
    merchant: merchantOf(facts.order, point.merchant),
    frameOrigins: [],
    checkoutFirst: point.checkoutFirst,
    selected: { ...asked, receivedAmount: 0n, headNumber: 0, transfers: [] },
  };
}
