import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { emailFrom } from '#shared/kernel/email-address.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import { answeredKey, type KeyedCreation } from '#shared/kernel/keyed-creation.js';
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

/** Validated and priced request that lacks only its address number. */
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

type Attempt<T> =
  | { readonly kind: 'stored'; readonly answer: T }
  | { readonly kind: 'accepted'; readonly answer: T }
  | { readonly kind: 'refused'; readonly reason: CreationRefusal; readonly request: PaymentRequest }
  /** Another process is creating a request there. */
  | { readonly kind: 'busy' };

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
 * 3. Build the request.
 * 4. Store it. If the point of sale has changed since step 1, store nothing and start again.
 *
 * Steps 2 to 4 are one statement unless the address has a number, an open request is replaced, or related records are stored.
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
      input.payerEmail === undefined ? undefined : emailFrom(input.payerEmail, 'payer_email');
    return this.untilCurrent(input, plan, (point, planned) => {
      const isReplacing = point.type === 'physical' && input.amountByPayer !== true;
      const attempt = () =>
        this.numberQueue.run(planned.addresses, () =>
          this.attempt({ ...input, payerEmail }, point, planned, isReplacing),
        );
      return isReplacing ? this.whenFree(point.id, attempt) : attempt();
    });
  }

  /**
   * Returns the answer that `store` would return now. Stores nothing.
   * @param plan plans a request in one asset
   * @throws not_found, state_conflict, unavailable, and the errors of `plan`
   */
  check<T>(input: NewRequestInput, plan: Planning<T>): Promise<T> {
    return this.untilCurrent(input, plan, (point, planned) =>
      this.numberQueue.run(planned.addresses, () =>
        this.unitOfWork.run(async () => {
          this.unitOfWork.rollback();
          const { request, answer } = planned.build(await this.reserveNumber(planned, point));
          const reason = await this.requests.refusalOf(request, point.version, request.selected!.network);
          return reason === null ? { kind: 'accepted', answer } : { kind: 'refused', reason, request };
        }),
      ),
    );
  }

  private async untilCurrent<T>(
    { scope, pointOfSaleId }: NewRequestInput,
    plan: Planning<T>,
    attempt: (point: CollectingPoint, planned: CreationPlan<T>) => Promise<Attempt<T>>,
  ): Promise<T> {
    for (let count = 1; count <= ATTEMPTS; count += 1) {
      const point = await this.pointsOfSale.find(scope, pointOfSaleId);
      const planned = await plan(point);
      const result = await attempt(point, planned);
      if (result.kind === 'stored' || result.kind === 'accepted') return result.answer;
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

  /**
   * A physical point of sale has one open request of its merchant, so a new one closes the window of the previous one. A request
   * whose amount a payer entered leaves the others open, so that strangers neither block the cashier nor are blocked.
   */
  private async attempt<T>(
    input: StorageInput<T>,
    point: CollectingPoint,
    planned: CreationPlan<T>,
    isReplacing: boolean,
  ): Promise<Attempt<T>> {
    const { at, storeRelated } = input;
    if (!isReplacing && planned.addresses === null && storeRelated === undefined)
      return this.add(planned.build(), input, point);
    return this.unitOfWork.run(async () => {
      const previous = isReplacing ? await this.requests.lockOpenOn(point.id) : [];
      if (previous === null) return { kind: 'busy' };
      const creation = planned.build(await this.reserveNumber(planned, point));
      const result = await this.add(creation, input, point);
      if (result.kind === 'refused') this.unitOfWork.rollback();
      if (result.kind !== 'stored') return result;
      for (const request of previous) request.closeWindow(at);
      await this.requests.save(previous);
      await storeRelated?.(creation.request.id);
      return result;
    });
  }

  private async reserveNumber(
    { addresses }: CreationPlan<unknown>,
    { organizationId }: CollectingPoint,
  ): Promise<AddressNumber | undefined> {
    return addresses === null ? undefined : this.numbers.reserve(addresses, organizationId);
  }

  private async add<T>(
    { answer, ...created }: Creation<T>,
    { keyed, payerEmail }: StorageInput<T>,
    { version }: CollectingPoint,
  ): Promise<Attempt<T>> {
    const key = keyed && { answeredKey: answeredKey(keyed, answer) };
    const reason = await this.requests.add({ ...created, payerEmail, ...key }, version);
    return reason === null
      ? { kind: 'stored', answer }
      : { kind: 'refused', reason, request: created.request };
  }

  /**
   * Retries while other processes hold the point of sale. Waits without a connection, to keep the pool free, and outside the
   * number queue, so that other points of sale of the wallet do not wait.
   */
  private async whenFree<T>(
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
}
