import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { PointsOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';
import { CreateCheckout } from '../checkout/create-checkout.js';
import { LimitLinkOpenings } from '../links/limit-link-openings.js';
import type { CheckoutView } from '../requests/payment-request-view.js';
import { TillRequests } from '../../infrastructure/till-codes/persistence/till-requests.js';

export interface EnteredAmountInput {
  readonly code: string;
  readonly amount: string;
  readonly coinCode: string;
  /** Previous session of this payer at this till. The new session ends it. */
  readonly replaces?: string | undefined;
  readonly caller: string;
}

export class TillOccupiedError extends DomainError {
  constructor() {
    const message =
      'The cashier has created a payment request here. Pay that request, or wait until it has ended.';
    super('conflict', 'state_conflict', message);
  }
}

/** Requests of other payers and of the cashier stay open, and do not end this checkout. */
@Injectable()
export class PayEnteredAmount {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly tillRequests: TillRequests,
    private readonly requests: PaymentRequests,
    private readonly createCheckout: CreateCheckout,
    private readonly limit: LimitLinkOpenings,
    private readonly clock: Clock,
  ) {}

  async pay({ code, amount, coinCode, replaces, caller }: EnteredAmountInput): Promise<CheckoutView> {
    const { id: pointOfSaleId, organizationId, accountId } = await this.pointsOfSale.findByCode(code);
    const at = await this.clock.now();
    if ((await this.tillRequests.findCurrent(pointOfSaleId)) !== undefined) throw new TillOccupiedError();
    const opening = { at: pointOfSaleId, caller, isKnown: false };
    await this.limit.requireCapacity(opening);
    const opened = await this.createCheckout.create({
      scope: { organizationId, accountId },
      pointOfSaleId,
      amount,
      coinCode,
      at,
      amountByPayer: true,
      openedBy: caller,
      storeRelated: async (request) => {
        await this.limit.recordOpening(opening, request);
        if (replaces !== undefined) await this.endEarlierRequest(pointOfSaleId, replaces, at);
      },
    });
    await this.limit.endExcessSessions(opening);
    return opened;
  }

  /** Stays open if the payer has signed a payment for it, which would become a deposit. */
  private async endEarlierRequest(pointOfSale: PointOfSaleId, sessionId: string, at: Date): Promise<void> {
    const id = await this.tillRequests.findWithEnteredAmount(pointOfSale, sessionId);
    if (id === undefined) return;
    const locked = await this.requests.lock([id]);
    if (await this.requests.hasPendingAuthorization(id)) return;
    for (const request of locked) request.closeWindow(at);
    await this.requests.save(locked);
  }
}
