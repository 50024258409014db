import { newId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { Scope } from '#shared/kernel/scope.js';
import type { CollectingPoint } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { completeOrder, type PartialOrder, type Price } from '../../domain/requests/order.js';
import type { PaymentRequestFacts } from '../../domain/requests/payment-request-facts.js';

export interface NewRequestInput {
  /** Default: a new id. */
  readonly id?: PaymentRequestId;
  readonly scope: Scope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly order?: PartialOrder;
  /** Receives the receipt. */
  readonly payerEmail?: string;
  /** Creation time: the database time at which the credential was verified. */
  readonly at: Date;
  /** True if a payer entered the amount, which the point of sale must allow. The request replaces no other request. */
  readonly amountByPayer?: boolean;
}

/** @param assets from the catalogue; an asset that is pegged to a currency can be priced in it */
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
