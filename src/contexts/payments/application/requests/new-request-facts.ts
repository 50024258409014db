import { newId, type PaymentRequestId, type PointOfSaleId } from '#shared/kernel/ids.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import type { PaymentPointOfSale } from '#contexts/point-of-sale/contract/points-of-sale.js';
import { completeOrder, type PartialOrder, type Price } from '../../domain/requests/order.js';
import type { PaymentRequestFacts } from '../../domain/requests/payment-request-facts.js';

export interface NewRequestInput {
  readonly id?: PaymentRequestId;
  readonly scope: TenantScope;
  readonly pointOfSaleId: PointOfSaleId;
  readonly referenceId?: string;
  readonly order?: PartialOrder;
  readonly payerEmail?: string;
  /** The database time at which the credential was verified. */
  readonly at: Date;
  /** The point of sale must allow this. Such a request does not replace the open request of the point of sale. */
  readonly amountByPayer?: boolean;
}

/** @param assets of the catalogue, to find the currency to which the asset of a price is pegged */
export function buildRequestFacts(
  {
    id: pointOfSaleId,
    organizationId,
    accountId,
    merchant,
    underpaymentTolerance: tolerance,
  }: PaymentPointOfSale,
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
