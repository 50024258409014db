import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { occupiedBy, type Occupied } from '../../domain/till-codes/occupied-till.js';
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

/** The point of sale has another request, which a payer may not end. */
export class TillOccupied extends DomainError {
  constructor(readonly occupied: Occupied) {
    const message =
      occupied.by === 'merchant'
        ? 'The cashier has made a payment request here. Pay that one, or wait until it has ended.'
        : `Another payer is paying here. Try again in ${occupied.seconds} seconds.`;
    super('conflict', 'state_conflict', message);
  }
}

/** So many openings of one point of sale wait in a process. One at a time tries, so that the cashier's requests do not wait. */
const MAX_WAITING = 10;

/**
 * Opens a checkout for the amount that a payer has typed at an open-amount point of sale.
 * 1. What occupies the point of sale refuses it before rates are read.
 * 2. The unit of work that ends the open request, under the lock of the point of sale, looks again.
 */
@Injectable()
export class PayTypedAmount {
  private readonly turns = new KeyedSlots(1, MAX_WAITING);

  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: TillRequests,
    private readonly createCheckout: CreateCheckout,
    private readonly limit: LimitLinkOpenings,
    private readonly clock: Clock,
  ) {}

  /** @throws not_found, TillOccupied, RateLimited, and what creating a checkout throws */
  async execute(typed: TypedAmount): Promise<CheckoutView> {
    const point = await this.pointsOfSale.findByCode(typed.code);
    const turn = this.turns.run(point.id, () => this.open(point, typed));
    if (turn === null) throw stateConflict('Many are paying here at this moment. Try again shortly.');
    return turn;
  }

  private async open(point: CollectingPoint, typed: TypedAmount): Promise<CheckoutView> {
    const { amount, coinCode, replaces, caller } = typed;
    const { id: pointOfSaleId, organizationId, accountId } = point;
    const at = await this.clock.now();
    await this.demandFree(pointOfSaleId, replaces, at);
    const opening = { at: pointOfSaleId, caller, isKnown: false };
    await this.limit.demandRoom(opening);
    const opened = await this.createCheckout.execute({
      scope: { organizationId, accountId },
      pointOfSaleId,
      amount,
      coinCode,
      at,
      amountByPayer: true,
      openedBy: caller,
      alongside: async (request) => {
        await this.demandFree(pointOfSaleId, replaces, at, request);
        await this.limit.note(opening, request);
      },
    });
    await this.limit.makeRoom(pointOfSaleId);
    return opened;
  }

  private async demandFree(
    pointOfSale: PointOfSaleId,
    replaces: string | undefined,
    now: Date,
    request?: PaymentRequestId,
  ): Promise<void> {
    for (const open of await this.requests.unpaidOn(pointOfSale, now, request)) {
      const occupied = occupiedBy(open, replaces, now);
      if (occupied !== null) throw new TillOccupied(occupied);
    }
  }
}
