import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { PointOfSaleId } from '#shared/kernel/ids.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PaymentRequests, type Refusal } from '../../domain/requests/payment-requests.js';

/** An attempt to store a request; nothing is stored where it is refused. */
export interface Attempted {
  readonly refusal: Refusal | null;
}

/** A creation waits at most so long for others on the same physical point of sale, and at most so many wait in a process. */
const MAX_WAIT_MS = 2_000;
const MAX_WAITING = 50;
/** At most one creation of each process tries, and one always succeeds, so the pause needs no jitter. */
const RETRY_MS = 40;

/**
 * A physical point of sale has one open request of its merchant: a new one ends the window of the previous one. Requests that payers type
 * stand beside it, so that strangers neither occupy the point of sale nor delay its cashier.
 */
@Injectable()
export class ReplaceRequestOnPhysicalPos {
  private readonly turns = new KeyedSlots(1, MAX_WAITING);

  constructor(
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Waits for other processes without holding a connection, since waiting creations would soon hold all of them.
   * @param createdAt the new request's birth, at which the previous one's window ends
   * @param add stores the new request, in the unit of work that closes the previous one
   * @throws state_conflict where too many creations wait, or one waits too long
   */
  async replace<T extends Attempted>(
    pointOfSale: PointOfSaleId,
    createdAt: Date,
    add: () => Promise<T>,
  ): Promise<T> {
    const until = performance.now() + MAX_WAIT_MS;
    const turn = this.turns.run(pointOfSale, async () => {
      for (;;) {
        const tried = await this.tryToReplace(pointOfSale, createdAt, add);
        if (tried !== 'busy' || performance.now() > until) return tried;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    });
    const outcome = turn === null ? 'busy' : await turn;
    if (outcome !== 'busy') return outcome;
    throw stateConflict(
      'Another payment request is being created on this physical point of sale, which can have only one at a ' +
        'time. Try again shortly.',
    );
  }

  private tryToReplace<T extends Attempted>(
    pointOfSale: PointOfSaleId,
    createdAt: Date,
    add: () => Promise<T>,
  ): Promise<T | 'busy'> {
    return this.unitOfWork.run(async () => {
      const previous = await this.requests.lockOpenOn(pointOfSale);
      if (previous === null) return 'busy';
      const attempted = await add();
      if (attempted.refusal !== null) return attempted;
      for (const open of previous) open.closeWindow(createdAt);
      await this.requests.save(previous);
      return attempted;
    });
  }
}
