import { newId } from '#shared/kernel/ids.js';
import type { Checkout } from '#contexts/payments/domain/requests/checkout.js';
import type { NewPaymentRequest } from '#contexts/payments/domain/requests/payment-requests.js';
import { keyValues } from '#shared/platform/idempotency/idempotency-keys.sql.js';
import { ADD_CHECKOUT, ADD_KEYED_CHECKOUT } from './add-checkout.sql.js';
import { ADD_KEYED_PAYMENT_REQUEST, ADD_PAYMENT_REQUEST } from './add-payment-request.sql.js';
import { toSelectionRow } from './saved-rows.js';

type Statement = [text: string, values: unknown[]];

/**
 * A request without a hosted page: the shortest statement, since it is the most frequent. Times go as text: the driver
 * spells a `Date` in the zone of this process, part by part.
 */
export function addRequest(
  { request, token, answeredKey }: NewPaymentRequest,
  pointOfSaleVersion: string,
): Statement {
  const { facts, selected } = request;
  const { expiresAt, countsUntil } = request.snapshot();
  const { depositAddress, ...asked } = selected!;
  const [event] = request.pullEvents();
  const values = [
    facts.id,
    facts.organizationId,
    facts.accountId,
    facts.pointOfSaleId,
    pointOfSaleVersion,
    asked.network,
    asked.uniqueAssetId,
    asked.currency,
    asked.decimals,
    asked.amount.toString(),
    facts.referenceId ?? null,
    facts.order === undefined ? null : JSON.stringify(facts.order),
    facts.createdAt.toISOString(),
    expiresAt.toISOString(),
    countsUntil.toISOString(),
    depositAddress.address,
    depositAddress.tag ?? '',
    JSON.stringify(depositAddress.derivation),
    depositAddress.settlementTermsId,
    depositAddress.settlementAddress,
    depositAddress.feeRecipient,
    depositAddress.feeBasisPoints,
    newId(),
    event!.type,
    JSON.stringify(event!.data),
    token,
  ];
  if (answeredKey === undefined) return [ADD_PAYMENT_REQUEST, values];
  return [ADD_KEYED_PAYMENT_REQUEST, [...values, ...keyValues(answeredKey)]];
}

export function addCheckout(
  { request, token, checkout, answeredKey }: NewPaymentRequest & { readonly checkout: Checkout },
  pointOfSaleVersion: string,
): Statement {
  const { facts, selected } = request;
  const { status, expiresAt, countsUntil } = request.snapshot();
  const [event] = request.pullEvents();
  const values = [
    JSON.stringify(selected === null ? {} : toSelectionRow(selected)),
    facts.id,
    facts.organizationId,
    facts.accountId,
    facts.pointOfSaleId,
    pointOfSaleVersion,
    status,
    facts.referenceId ?? null,
    facts.order === undefined ? null : JSON.stringify(facts.order),
    token,
    facts.createdAt,
    expiresAt,
    countsUntil,
    checkout.sessionId,
    checkout.amount,
    checkout.coinCode,
    checkout.paymentOptions,
    JSON.stringify(checkout.merchant),
    checkout.returnUrl ?? null,
    checkout.frameOrigins,
    checkout.paymentLinkId ?? null,
    newId(),
    event!.type,
    JSON.stringify(event!.data),
  ];
  if (answeredKey === undefined) return [ADD_CHECKOUT, values];
  return [ADD_KEYED_CHECKOUT, [...values, ...keyValues(answeredKey)]];
}
