import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { requireEmail } from '#shared/kernel/email-address.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { toAnsweredKey, type KeyedCreation } from '#shared/kernel/keyed-creation.js';
import { KeyedSlots } from '#shared/kernel/keyed-slots.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { networkUnavailable } from '#contexts/networks/contract/network-catalogue.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import type { AddressNumber, AddressSequence } from '../../domain/requests/address-numbers.js';
import { AddressNumbers } from '../../infrastructure/requests/persistence/address-numbers.js';
import type { PaymentRequest } from '../../domain/requests/payment-request.js';
import {
  PaymentRequests,
  type NewPaymentRequest,
  type CreationRefusal,
} from '../../domain/requests/payment-requests.js';
import { AddressNumberQueue } from './address-number-queue.js';
import type { NewRequestInput } from './new-request-facts.js';

export interface Creation<T> extends NewPaymentRequest {
  readonly answer: T;
}

/** A validated and priced request that lacks only its address number. */
export interface CreationPlan<T> {
  /** Null if the address has no number. */
  readonly addresses: AddressSequence | null;
  /** Builds the request. May run inside a unit of work. */
  readonly build: (number?: AddressNumber) => Creation<T>;
}

type Planning<T> = (point: CollectingPoint) => CreationPlan<T> | Promise<CreationPlan<T>>;

export interface StorageInput<T> extends NewRequestInput {
  readonly keyed?: KeyedCreation<T> | undefined;
  /** Stores related records in the same unit of work. If it throws, nothing is stored. */
  readonly storeRelated?: (request: PaymentRequestId) => Promise<void>;
}

interface Succeeded<T> {
  readonly kind: 'succeeded';
  readonly answer: T;
}

interface Refused {
  readonly kind: 'refused';
  readonly reason: CreationRefusal;
  readonly request: PaymentRequest;
}

/** `busy`: another process is creating a request on the same physical point of sale. */
type Attempt<T> = Succeeded<T> | Refused | { readonly kind: 'busy' };

const ATTEMPTS = 3;
/** Limits of the creations that wait for one physical point of sale in a process. */
const MAX_WAIT_MS = 2_000;
const MAX_WAITING = 50;
/** Needs no jitter: one creation per process retries, and one of them always succeeds. */
const RETRY_MS = 40;

/**
 * Creates a payment request in four steps:
 * 1. Look up the point of sale with its settlement terms, and plan the request.
 * 2. Reserve an address number if the chain type numbers its addresses.
 * 3. Build the request, whose address commits to the settlement terms.
 * 4. Store it, and close the window of the previous request of a physical point of sale.
 *
 * Step 4 checks that the point of sale has not changed since step 1. If it has, nothing is stored and step 1 starts again.
 *
 * A creation may wait twice, each time without a database connection, to keep the pool free. It waits for the physical point of sale
 * first and for the number sequence second, so that a busy point of sale does not delay others that share the sequence.
 */
@Injectable()
export class StoreNewRequest {
  private readonly physicalPoints = new KeyedSlots(1, MAX_WAITING);

  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly numbers: AddressNumbers,
    private readonly numberQueue: AddressNumberQueue,
  ) {}

  /** @throws not_found, state_conflict, unavailable, KeyTaken, RequestExists, and the errors of `plan` and `storeRelated` */
  async store<T>(input: StorageInput<T>, plan: Planning<T>): Promise<T> {
    const payerEmail =
      input.payerEmail === undefined ? undefined : requireEmail(input.payerEmail, 'payer_email');
    const storage = { ...input, payerEmail };
    return this.withCurrentPoint(input, plan, (point, planned) => {
      if (isReplacing(point, input))
        return this.retryWhileBusy(point.id, () => this.storeInUnitOfWork(storage, point, planned));
      if (planned.addresses !== null || input.storeRelated !== undefined)
        return this.storeInUnitOfWork(storage, point, planned);
      return this.add(planned.build(), storage, point);
    });
  }

  /**
   * Returns the answer that `store` would return now. Stores nothing.
   * @param plan plans a request in one asset
   * @throws not_found, state_conflict, unavailable, and the errors of `plan`
   */
  check<T>(input: NewRequestInput, plan: Planning<T>): Promise<T> {
    return this.withCurrentPoint(input, plan, (point, planned) =>
      this.numberQueue.run(planned.addresses, () =>
        this.unitOfWork.run(async () => {
          this.unitOfWork.rollback();
          const { request, answer } = planned.build(await this.reserveNumber(planned, point));
          const reason = await this.requests.refusalOf(request, point.version, request.selected!.network);
          return reason === null ? { kind: 'succeeded', answer } : { kind: 'refused', reason, request };
        }),
      ),
    );
  }

  /** Repeats the attempt with a new plan if the point of sale has changed since the plan was made. */
  private async withCurrentPoint<T>(
    { scope, pointOfSaleId }: NewRequestInput,
    plan: Planning<T>,
    attempt: (point: CollectingPoint, planned: CreationPlan<T>) => Promise<Attempt<T>>,
  ): Promise<T> {
    for (let count = 1; count <= ATTEMPTS; count += 1) {
      const point = await this.pointsOfSale.find(scope, pointOfSaleId);
      const planned = await plan(point);
      const result = await attempt(point, planned);
      if (result.kind === 'succeeded') return result.answer;
      if (result.kind === 'busy')
        throw stateConflict(
          'Another payment request is being created on this physical point of sale, which can have only one at a ' +
            'time. Try again shortly.',
        );
      if (result.reason === 'network_not_watched') throw networkUnavailable(result.request.selected!.network);
      this.pointsOfSale.forget(point.id);
    }
    throw stateConflict(
      'The point of sale or its settlement terms changed while the request was being created. Send the request again.',
    );
  }

  /** Repeats the attempt while another process holds the physical point of sale. */
  private async retryWhileBusy<T>(
    pointOfSale: PointOfSaleId,
    attempt: () => Promise<Attempt<T>>,
  ): Promise<Attempt<T>> {
    const until = performance.now() + MAX_WAIT_MS;
    const result = await this.physicalPoints.run(pointOfSale, async () => {
      for (;;) {
        const latest = await attempt();
        if (latest.kind !== 'busy' || performance.now() > until) return latest;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    });
    return result ?? { kind: 'busy' };
  }

  /** Locks the previous requests before it reserves a number, because a reserved number locks its sequence until the end. */
  private storeInUnitOfWork<T>(
    input: StorageInput<T>,
    point: CollectingPoint,
    planned: CreationPlan<T>,
  ): Promise<Attempt<T>> {
    return this.numberQueue.run(planned.addresses, () =>
      this.unitOfWork.run(async () => {
        const previous = isReplacing(point, input) ? await this.requests.lockOpenOn(point.id) : [];
        if (previous === null) return { kind: 'busy' };
        const creation = planned.build(await this.reserveNumber(planned, point));
        const result = await this.add(creation, input, point);
        if (result.kind === 'refused') {
          // Releases the reserved number.
          this.unitOfWork.rollback();
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
    { organizationId }: CollectingPoint,
  ): Promise<AddressNumber | undefined> {
    return addresses === null ? undefined : this.numbers.reserve(addresses, organizationId);
  }

  /** Stores the request in one statement. */
  private async add<T>(
    { answer, ...created }: Creation<T>,
    { keyed, payerEmail }: StorageInput<T>,
    { version }: CollectingPoint,
  ): Promise<Succeeded<T> | Refused> {
    const key = keyed && { answeredKey: toAnsweredKey(keyed, answer) };
    const reason = await this.requests.add({ ...created, payerEmail, ...key }, version);
    return reason === null
      ? { kind: 'succeeded', answer }
      : { kind: 'refused', reason, request: created.request };
  }
}

/**
 * A physical point of sale has one open request of its merchant, so a new request closes the window of the previous one. A request
 * whose amount a payer entered leaves the others open, so that strangers neither block the cashier nor are blocked.
 */
function isReplacing({ type }: CollectingPoint, { amountByPayer }: NewRequestInput): boolean {
  return type === 'physical' && amountByPayer !== true;
}
