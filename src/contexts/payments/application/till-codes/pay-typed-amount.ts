import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import { CreateCheckout } from '../checkout/create-checkout.js';
import { LimitLinkOpenings } from '../links/limit-link-openings.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { TillRequests } from './till-requests.js';

export interface TypedAmount {
  readonly code: string;
  readonly amount: string;
  readonly coinCode: string;
  /** The session that this payer has opened here before: typing another amount ends it. */
  readonly replaces?: string | undefined;
  /** The caller's open sessions are counted under it, those of payment links too. */
  readonly caller: string;
}

/** The cashier's request is open, which the payer is to pay. */
export class TillOccupied extends DomainError {
  constructor() {
    const message =
      'The cashier has created a payment request here. Pay that request, or wait until it has ended.';
    super('conflict', 'state_conflict', message);
  }
}

/**
 * Opens a checkout for the amount that a payer has typed at an open-amount point of sale. It stands beside those of other payers, and
 * neither it nor a request of the cashier ends the other one.
 */
@Injectable()
export class PayTypedAmount {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly tillRequests: TillRequests,
    private readonly requests: PaymentRequests,
    private readonly createCheckout: CreateCheckout,
    private readonly limit: LimitLinkOpenings,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found, TillOccupied, RateLimited, and what creating a checkout throws */
  async pay({ code, amount, coinCode, replaces, caller }: TypedAmount): Promise<CheckoutView> {
    const { id: pointOfSaleId, organizationId, accountId } = await this.pointsOfSale.findByCode(code);
    const at = await this.clock.now();
    if ((await this.tillRequests.shownOn(pointOfSaleId)) !== undefined) throw new TillOccupied();
    const opening = { at: pointOfSaleId, caller, isKnown: false };
    await this.limit.demandRoom(opening);
    const opened = await this.createCheckout.create({
      scope: { organizationId, accountId },
      pointOfSaleId,
      amount,
      coinCode,
      at,
      amountByPayer: true,
      openedBy: caller,
      alongside: async (request) => {
        await this.limit.note(opening, request);
        if (replaces !== undefined) await this.end(pointOfSaleId, replaces, at);
      },
    });
    await this.limit.makeRoom(opening);
    return opened;
  }

  /** Ends the window of a payer's earlier request. One for which a payment is signed goes on: its transfer would become a deposit. */
  private async end(pointOfSale: PointOfSaleId, sessionId: string, at: Date): Promise<void> {
    const id = await this.tillRequests.typedOn(pointOfSale, sessionId);
    if (id === undefined) return;
    const locked = await this.requests.lock([id]);
    if (await this.requests.isSignedFor(id)) return;
    for (const request of locked) request.closeWindow(at);
    await this.requests.save(locked);
  }
}
