import { Injectable } from '@nestjs/common';
import type { Asset } from '#shared/kernel/asset.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { emailFrom } from '#shared/kernel/email-address.js';
import { newId, type OrganizationId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { answeredKey, type KeyedCreation } from '#shared/kernel/keyed-creation.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PointsOfSale, type CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import {
  AddressNumbers,
  type NumberedAddresses,
  type TakenNumber,
} from '../../domain/requests/address-numbers.js';
import { completeOrder, type PartialOrder, type Price } from '../../domain/requests/order.js';
import type { PaymentRequestFacts } from '../../domain/requests/payment-request-facts.js';
import {
  PaymentRequests,
  type NewPaymentRequest,
  type Refusal,
} from '../../domain/requests/payment-requests.js';
import { AddressTurns } from './address-turns.js';
import { networkUnavailable } from './assign-address.js';
import { ReplaceRequestOnPhysicalPos, type Attempted } from './replace-request-on-physical-pos.js';

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
  /** A payer has typed the amount, which the point of sale has to allow. The request stands beside any other one. */
  readonly amountByPayer?: boolean;
}

/** @param assets the catalogue's: one that is pegged to a currency is priced in it too */
export function newFacts(
  {
    id: pointOfSaleId,
    organizationId,
    accountId,
    merchant,
    underpaymentTolerance: tolerance,
  }: CollectingPoint,
  { id = newId(), referenceId, order: partialOrder, at }: NewRequestInput,
  price: Price,
  assets: readonly Asset[],
): PaymentRequestFacts {
  const order = partialOrder && completeOrder(partialOrder, price, merchant);
  const owner = { organizationId, accountId, pointOfSaleId };
  const priceCurrency = assets.find(({ symbol }) => symbol === price.coinCode)?.peg ?? price.coinCode;
  const isOfThisCurrency = (tolerance?.currency ?? priceCurrency) === priceCurrency;
  const underpaymentTolerance = isOfThisCurrency ? tolerance : undefined;
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

/** A request that is made once the number of its address is taken, in the unit of work that stores it. */
export interface NumberedDraft<T> {
  readonly addresses: NumberedAddresses;
  withNumber(taken: TakenNumber): Draft<T>;
}

export type Drawn<T> = Draft<T> | NumberedDraft<T>;

type Draw<T> = (point: CollectingPoint) => Drawn<T> | Promise<Drawn<T>>;

/** @param addresses null where the address needs no number */
export function drawn<T>(
  addresses: NumberedAddresses | null,
  draft: (taken?: TakenNumber) => Draft<T>,
): Drawn<T> {
  return addresses === null ? draft() : { addresses, withNumber: draft };
}

/** Changes a draft once it is made. */
export function changed<T, U>(drawn: Drawn<T>, change: (draft: Draft<T>) => Draft<U>): Drawn<U> {
  if (!('withNumber' in drawn)) return change(drawn);
  return { addresses: drawn.addresses, withNumber: (taken) => change(drawn.withNumber(taken)) };
}

interface Outcome<T> extends Attempted {
  readonly draft: Draft<T>;
}

/** Undoes the unit of work that an outcome is of, and with it the number that was taken. */
class Undone<T> extends Error {
  constructor(readonly outcome: Outcome<T>) {
    super('Nothing is stored.');
  }
}

export type Alongside = (request: PaymentRequestId) => Promise<void>;

const ATTEMPTS = 3;

/**
 * Stores a new request of a point of sale. One statement once the point of sale is known, if that is an online one and the
 * address has no number.
 */
@Injectable()
export class OpenPaymentRequest {
  constructor(
    private readonly pointsOfSale: PointsOfSale,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly replaceOnPhysicalPos: ReplaceRequestOnPhysicalPos,
    private readonly numbers: AddressNumbers,
    private readonly turns: AddressTurns,
  ) {}

  /**
   * @param draw makes the request from the point of sale; again where that has changed meanwhile
   * @throws not_found, state_conflict, unavailable, KeyTaken, RequestExists, and what `draw` throws
   */
  open<T>(input: NewRequestInput & KeyedInput<T>, draw: Draw<T>): Promise<T> {
    const { keyed } = input;
    const payerEmail =
      input.payerEmail === undefined ? undefined : emailFrom(input.payerEmail, 'payer_email');
    return this.attempt(input, draw, (made, point) => {
      const whole = changed(made, (draft) => ({
        ...draft,
        payerEmail,
        ...(keyed && { answeredKey: answeredKey(keyed, draft.answer) }),
      }));
      const add = () => this.complete(whole, point.organizationId, (draft) => this.add(draft, point));
      if (point.type === 'online' || input.amountByPayer === true) return add();
      return this.replaceOnPhysicalPos.replace(point.id, input.at, add);
    });
  }

  /**
   * Answers what `open` would answer now. Stores nothing.
   * @param draw makes a request whose asset is selected
   * @throws not_found, state_conflict, unavailable, and what `draw` throws
   */
  check<T>(input: NewRequestInput, draw: Draw<T>): Promise<T> {
    return this.attempt(input, draw, (made, { organizationId, version }) =>
      this.unitOfWork.run(async () => {
        const outcome = await this.complete(made, organizationId, ({ request }) =>
          this.requests.refusalOf(request, version, request.selected!.network),
        );
        if ('withNumber' in made) throw new Undone(outcome);
        return outcome;
      }),
    );
  }

  private async attempt<T>(
    { scope, pointOfSaleId }: NewRequestInput,
    draw: Draw<T>,
    tryIt: (drawn: Drawn<T>, point: CollectingPoint) => Promise<Outcome<T>>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const point = await this.pointsOfSale.find(scope, pointOfSaleId);
      const made = await draw(point);
      const addresses = 'withNumber' in made ? made.addresses : null;
      const { draft, refusal } = await outcomeOf(this.turns.run(addresses, () => tryIt(made, point)));
      if (refusal === null) return draft.answer;
      if (refusal === 'network_not_watched') throw networkUnavailable(draft.request.selected!.network);
      this.pointsOfSale.forget(point.id);
    }
    throw stateConflict(
      'The point of sale or its settlement terms changed while the request was being created. Send the request again.',
    );
  }

  /** @param store stores the draft, or says why it does not */
  private async complete<T>(
    drawn: Drawn<T>,
    organization: OrganizationId,
    store: (draft: Draft<T>) => Promise<Refusal | null>,
  ): Promise<Outcome<T>> {
    if (!('withNumber' in drawn)) return { draft: drawn, refusal: await store(drawn) };
    return this.unitOfWork.run(async () => {
      const draft = drawn.withNumber(await this.numbers.take(drawn.addresses, organization));
      const outcome = { draft, refusal: await store(draft) };
      if (outcome.refusal !== null) throw new Undone(outcome);
      return outcome;
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
}

async function outcomeOf<T>(trying: Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await trying;
  } catch (error) {
    if (error instanceof Undone) return error.outcome as Outcome<T>;
    throw error;
  }
}
