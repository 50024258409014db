import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../../shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '../../../../shared/kernel/ids.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { PointsOfSale, type CollectingPoint } from '../../../point-of-sale/contract/points-of-sale.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import {
  PaymentRequests,
  type NewPaymentRequest,
  type Refusal,
} from '../../domain/requests/payment-requests.js';
import { networkUnavailable } from './assign-address.js';
import { KeyedMutex } from '../../../../shared/kernel/keyed-mutex.js';

/** A request that is not stored yet, and the answer to its caller once it is. */
export interface Draft<T> extends NewPaymentRequest {
  readonly answer: T;
  /** Stores what belongs to the request, in the same unit of work; if it throws, nothing is stored. */
  readonly alongside?: Alongside;
}

export type Alongside = (request: PaymentRequestId) => Promise<void>;

/** How long a payer has, from creation, in seconds (docs/api/payments.md, "Window and deadline"). */
export class PaymentWindow {
  constructor(readonly seconds: number) {}
}

const ATTEMPTS = 3;
/** How long a creation waits for others on the same physical point of sale, and how many wait at most. */
const LONGEST_WAIT_MS = 2_000;
const MOST_WAITING = 50;
/** At most one creation of each process tries, and one always succeeds, so the pause needs no jitter. */
const RETRY_MS = 40;

/**
 * Stores a new request of a point of sale. One statement once the point of sale is known; a physical point of sale's
 * previous request is closed in the same unit of work.
 */
@Injectable()
export class OpenPaymentRequest {
  private readonly physical = new KeyedMutex(MOST_WAITING);

  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param draw makes the request from the point of sale; again where that has changed meanwhile
   * @throws not_found, state_conflict, unavailable, and what `draw` throws
   */
  async execute<T>(
    scope: Scope,
    pointOfSaleId: PointOfSaleId,
    draw: (point: CollectingPoint) => Draft<T> | Promise<Draft<T>>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const point = await this.pointsOfSale.find(scope, pointOfSaleId);
      const draft = await draw(point);
      const refusal = await this.store(draft, point);
      if (refusal === null) return draft.answer;
      if (refusal === 'network_not_watched') throw networkUnavailable(draft.request.selected!.network);
      if (attempt === ATTEMPTS) throw keepsChanging();
      this.pointsOfSale.forget(point.id);
    }
  }

  private async store(draft: Draft<unknown>, point: CollectingPoint): Promise<Refusal | null> {
    if (point.type === 'online') return this.add(draft, point);
    const until = performance.now() + LONGEST_WAIT_MS;
    const turn = this.physical.run(point.id, () => this.replaceOpen(draft, point, until));
    if (turn === null) throw busy();
    return turn;
  }

  /** Waits for other processes without holding a connection, since waiting creations would soon hold all of them. */
  private async replaceOpen(
    draft: Draft<unknown>,
    point: CollectingPoint,
    until: number,
  ): Promise<Refusal | null> {
    for (;;) {
      const outcome = await this.tryToReplaceOpen(draft, point);
      if (outcome !== 'busy') return outcome;
      if (performance.now() > until) throw busy();
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  private tryToReplaceOpen(draft: Draft<unknown>, point: CollectingPoint): Promise<Refusal | 'busy' | null> {
    return this.unitOfWork.run(async () => {
      const previous = await this.requests.lockOpenOn(point.id);
      if (previous === null) return 'busy';
      const refusal = await this.add(draft, point);
      if (refusal !== null) return refusal;
      await this.close(previous, draft.request.facts.createdAt);
      return null;
    });
  }

  private async add(draft: Draft<unknown>, { version }: CollectingPoint): Promise<Refusal | null> {
    const { alongside } = draft;
    if (alongside === undefined) return this.requests.add(draft, version);
    return this.unitOfWork.run(async () => {
      const refusal = await this.requests.add(draft, version);
      if (refusal === null) await alongside(draft.request.id);
      return refusal;
    });
  }

  private async close(previous: readonly PaymentRequest[], at: Date): Promise<void> {
    for (const open of previous) open.closeWindow(at);
    await this.requests.save(previous);
  }
}

function busy(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'Another payment request is being created on this point of sale, which has one at a time. Try again shortly.',
  );
}

function keepsChanging(): DomainError {
  return new DomainError(
    'conflict',
    'state_conflict',
    'The point of sale or its settlement terms were changed while the request was created. Send it again.',
  );
}
