import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { requireEmail } from '#shared/kernel/email-address.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { toAnsweredIdempotencyKey, type IdempotentCreation } from '#shared/kernel/idempotent-creation.js';
import { KeyedSemaphore } from '#shared/kernel/keyed-semaphore.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { networkUnavailableError } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { AddressNumber, AddressSequence } from '../../domain/requests/address-numbers.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import {
  PaymentRequests,
  type NewPaymentRequest,
  type CreationRefusal,
} from '../../domain/requests/payment-requests.js';
import { AddressReservationQueue } from './address-reservation-queue.js';
import type { NewRequestInput } from './new-request-facts.js';

export interface NewRequestWithAnswer<T> extends NewPaymentRequest {
  readonly answer: T;
}

export interface CreationPlan<T> {
  /** Null if the chain type does not number addresses. */
  readonly addresses: AddressSequence | null;
  /** May run inside a unit of work. */
  readonly build: (number?: AddressNumber) => NewRequestWithAnswer<T>;
}

type RequestPlanner<T> = (point: PaymentPointOfSale) => CreationPlan<T> | Promise<CreationPlan<T>>;

export interface StoreNewRequestInput<T> extends NewRequestInput {
  readonly idempotency?: IdempotentCreation<T> | undefined;
  /** Runs in the same unit of work. If it throws, nothing is stored. */
  readonly storeRelated?: (request: PaymentRequestId) => Promise<void>;
}

interface CreationSucceeded<T> {
  readonly kind: 'succeeded';
  readonly answer: T;
}

interface CreationRefused {
  readonly kind: 'refused';
  readonly reason: CreationRefusal;
  readonly request: PaymentRequest;
}

/** `busy`: another process is creating a request at the same physical point of sale. */
type CreationAttempt<T> = CreationSucceeded<T> | CreationRefused | { readonly kind: 'busy' };

const MAX_CREATION_ATTEMPTS = 3;
const MAX_WAIT_FOR_POINT_MS = 2_000;
const MAX_CREATIONS_PER_POINT = 50;
/** Needs no jitter, because only one creation per process retries, and one of them always succeeds. */
const RETRY_PAUSE_MS = 40;

/**
 * If the point of sale has changed since the request was planned, nothing is stored and the creation starts again. A
 * creation waits without a database connection: first for the physical point of sale, then for the number sequence,
 * so that a busy point of sale does not delay others that share the sequence.
 */
@Injectable()
export class StoreNewRequest {
  private readonly physicalPoints = new KeyedSemaphore(1, MAX_CREATIONS_PER_POINT);

  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly numbers: AddressNumbers,
    private readonly numberQueue: AddressReservationQueue,
  ) {}

  async store<T>(input: StoreNewRequestInput<T>, plan: RequestPlanner<T>): Promise<T> {
    const payerEmail =
      input.payerEmail === undefined ? undefined : requireEmail(input.payerEmail, 'payer_email');
    const storage = { ...input, payerEmail };
    return this.attemptWithCurrentPoint(input, plan, (point, planned) => {
      if (replacesOpenRequest(point, input))
        return this.retryWhileBusy(point.id, () => this.storeInUnitOfWork(storage, point, planned));
      if (planned.addresses !== null || input.storeRelated !== undefined)
        return this.storeInUnitOfWork(storage, point, planned);
      return this.addRequest(planned.build(), storage, point);
    });
  }

  /** Stores nothing. @throws not_found, state_conflict, unavailable, and the errors of `plan` */
  previewAnswer<T>(input: NewRequestInput, plan: RequestPlanner<T>): Promise<T> {
    return this.attemptWithCurrentPoint(input, plan, (point, planned) =>
      this.numberQueue.run(planned.addresses, () =>
        this.unitOfWork.run(async () => {
          // Called first: nothing of this unit of work is kept, whatever follows.
          this.unitOfWork.rollBackAtEnd();
          const { request, answer } = planned.build(await this.reserveNumber(planned, point));
          const reason = await this.requests.findCreationRefusal(
            request,
            point.version,
            request.selected!.network,
          );
          return reason === null ? { kind: 'succeeded', answer } : { kind: 'refused', reason, request };
        }),
      ),
    );
  }

  /** Repeats an attempt with a new plan if the point of sale has changed since it was planned. */
  private async attemptWithCurrentPoint<T>(
    { scope, pointOfSaleId }: NewRequestInput,
    plan: RequestPlanner<T>,
    attempt: (point: PaymentPointOfSale, planned: CreationPlan<T>) => Promise<CreationAttempt<T>>,
  ): Promise<T> {
    for (let count = 1; count <= MAX_CREATION_ATTEMPTS; count += 1) {
      const point = await this.pointsOfSale.find(scope, pointOfSaleId);
      const planned = await plan(point);
      const result = await attempt(point, planned);
      if (result.kind === 'succeeded') return result.answer;
      if (result.kind === 'busy')
        throw stateConflict(
          'Another payment request is being created on this physical point of sale, which can have only one at a ' +
            'time. Try again shortly.',
        );
      if (result.reason === 'network_not_watched')
        throw networkUnavailableError(result.request.selected!.network);
      this.pointsOfSale.forget(point.id);
    }
    throw stateConflict(
      'The point of sale or its settlement terms changed while the request was being created. Send the request again.',
    );
  }

  private async retryWhileBusy<T>(
    pointOfSale: PointOfSaleId,
    attempt: () => Promise<CreationAttempt<T>>,
  ): Promise<CreationAttempt<T>> {
    const until = performance.now() + MAX_WAIT_FOR_POINT_MS;
    const result = await this.physicalPoints.run(pointOfSale, async () => {
      for (;;) {
        const latest = await attempt();
        if (latest.kind !== 'busy' || performance.now() > until) return latest;
        await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    });
    return result ?? { kind: 'busy' };
  }

  /** Locks the previous requests first, because a reserved number locks its sequence until the transaction ends. */
  private storeInUnitOfWork<T>(
    input: StoreNewRequestInput<T>,
    point: PaymentPointOfSale,
    planned: CreationPlan<T>,
  ): Promise<CreationAttempt<T>> {
    return this.numberQueue.run(planned.addresses, () =>
      this.unitOfWork.run(async () => {
        const previous = replacesOpenRequest(point, input)
          ? await this.requests.lockOpenAtPointOfSale(point.id)
          : [];
        if (previous === null) return { kind: 'busy' };
        const creation = planned.build(await this.reserveNumber(planned, point));
        const result = await this.addRequest(creation, input, point);
        if (result.kind === 'refused') {
          // The rollback releases the reserved number.
          this.unitOfWork.rollBackAtEnd();
          return result;
        }
        for (const request of previous) request.closeWindow(input.at);
        await this.requests.save(previous);
        await input.storeRelated?.(creation.request.id);
        return result;
      }),
    );
  }

  private async reserveNumber(
    { addresses }: CreationPlan<unknown>,
    { organizationId }: PaymentPointOfSale,
  ): Promise<AddressNumber | undefined> {
    return addresses === null ? undefined : this.numbers.reserve(addresses, organizationId);
  }

  private async addRequest<T>(
    { answer, ...created }: NewRequestWithAnswer<T>,
    { idempotency, payerEmail }: StoreNewRequestInput<T>,
    { version }: PaymentPointOfSale,
  ): Promise<CreationSucceeded<T> | CreationRefused> {
    const key = idempotency && { idempotencyKey: toAnsweredIdempotencyKey(idempotency, answer) };
    const reason = await this.requests.add({ ...created, payerEmail, ...key }, version);
    return reason === null
      ? { kind: 'succeeded', answer }
      : { kind: 'refused', reason, request: created.request };
  }
}

/**
 * A request whose amount a payer entered replaces nothing, so that strangers and the cashier do not block each other.
 */
function replacesOpenRequest({ type }: PaymentPointOfSale, { amountByPayer }: NewRequestInput): boolean {
  return type === 'physical' && amountByPayer !== true;
}
