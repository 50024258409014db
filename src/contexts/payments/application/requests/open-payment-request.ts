import { Injectable } from '@nestjs/common';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { emailFrom } from '#shared/kernel/email-address.js';
import { newId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { answeredKey, type KeyedCreation } from '#shared/kernel/keyed-creation.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { completeOrder, type PartialOrder, type Price } from '../../domain/requests/order.js';
import type { PaymentRequestFacts } from '../../domain/requests/payment-request-facts.js';
import {
  PaymentRequests,
  type NewPaymentRequest,
  type Refusal,
} from '../../domain/requests/payment-requests.js';
import { networkUnavailable } from './assign-address.js';
import { ReplaceRequestOnPhysicalPos } from './replace-request-on-physical-pos.js';

/** Every creation has these fields, whatever it is to be paid in. */
export interface NewRequestInput {
  /** A new one where it is absent. */
  readonly id?: PaymentRequestId;
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly order?: PartialOrder;
  /** An address to which the receipt is mailed once. */
  readonly payerEmail?: string;
  /** When the credential was proven, by the database's clock: the request's birth. */
  readonly at: Date;
}

export function newFacts(
  { id: pointOfSaleId, organizationId, accountId, merchant, underpaymentTolerance }: CollectingPoint,
  { id = newId(), referenceId, order: partialOrder, at }: NewRequestInput,
  price: Price,
): PaymentRequestFacts {
  const order = partialOrder && completeOrder(partialOrder, price, merchant);
  const owner = { organizationId, accountId, pointOfSaleId };
  return { id, ...owner, referenceId, order, underpaymentTolerance, createdAt: at };
}

/** The idempotency key of a creation that is answered with a `T`. */
export interface KeyedInput<T> {
  readonly keyed?: KeyedCreation<T> | undefined;
}

/** A request that is not stored yet, and the answer to its caller once it is. */
export interface Draft<T> extends NewPaymentRequest {
  readonly answer: T;
  /** Stores what belongs to the request, in the same unit of work; if it throws, nothing is stored. */
  readonly alongside?: Alongside;
}

type Draw<T> = (point: CollectingPoint) => Draft<T> | Promise<Draft<T>>;

export type Alongside = (request: PaymentRequestId) => Promise<void>;

const ATTEMPTS = 3;

/** Stores a new request of a point of sale. One statement once the point of sale is known, if that is an online one. */
@Injectable()
export class OpenPaymentRequest {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly replaceOnPhysicalPos: ReplaceRequestOnPhysicalPos,
  ) {}

  /**
   * @param draw makes the request from the point of sale; again where that has changed meanwhile
   * @throws not_found, state_conflict, unavailable, KeyTaken, RequestExists, and what `draw` throws
   */
  execute<T>(input: NewRequestInput & KeyedInput<T>, draw: Draw<T>): Promise<T> {
    const { keyed } = input;
    const payerEmail =
      input.payerEmail === undefined ? undefined : emailFrom(input.payerEmail, 'payer_email');
    return this.attempt(input, draw, (drawn, point) => {
      const draft: Draft<T> = {
        ...drawn,
        payerEmail,
        ...(keyed && { answeredKey: answeredKey(keyed, drawn.answer) }),
      };
      const add = () => this.add(draft, point);
      if (point.type === 'online') return add();
      return this.replaceOnPhysicalPos.execute(point.id, draft.request.facts.createdAt, add);
    });
  }

  /**
   * Answers what `execute` would answer now. Stores nothing.
   * @param draw makes a request whose asset is selected
   * @throws not_found, state_conflict, unavailable, and what `draw` throws
   */
  check<T>(input: NewRequestInput, draw: Draw<T>): Promise<T> {
    return this.attempt(input, draw, ({ request }, { version }) =>
      this.unitOfWork.run(() => this.requests.refusalOf(request, version, request.selected!.network)),
    );
  }

  private async attempt<T>(
    { scope, pointOfSaleId }: NewRequestInput,
    draw: Draw<T>,
    tryIt: (draft: Draft<T>, point: CollectingPoint) => Promise<Refusal | null>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const point = await this.pointsOfSale.find(scope, pointOfSaleId);
      const draft = await draw(point);
      const refusal = await tryIt(draft, point);
      if (refusal === null) return draft.answer;
      if (refusal === 'network_not_watched') throw networkUnavailable(draft.request.selected!.network);
      this.pointsOfSale.forget(point.id);
    }
    throw stateConflict(
      'The point of sale or its settlement terms were changed while the request was created. Send it again.',
    );
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
}
