import { newId } from '#shared/kernel/ids.js';
import type { PaymentRequest } from '#contexts/payments/domain/requests/payment-request.js';
import type { RecordedTransfer } from '#contexts/payments/domain/requests/transfer.js';
import type { Selection } from '#contexts/payments/domain/requests/selection.js';

/** Rows as the statements of `save-payment-requests.sql.ts` and `add-checkout.sql.ts` take them. */
export function toStateRow(request: PaymentRequest): object {
  const { id, status, version, selected, receivedAmount, ...state } = request.snapshot();
  const { expiresAt, countsUntil, confirmedAt, outcomeBlock, uncounting } = state;
  return {
    ...(selected && toSelectionRow(selected)),
    ...{
      id,
      status,
      version,
      receivedAmount: receivedAmount.toString(),
      expiresAt,
      countsUntil,
      confirmedAt,
      outcomeBlock,
      uncounting,
    },
  };
}

export function toSelectionRow({ depositAddress, rate, ...selection }: Selection): object {
  return {
    ...selection,
    ...depositAddress,
    amount: selection.amount.toString(),
    minimumAmount: selection.minimumAmount.toString(),
    tag: depositAddress.tag ?? '',
    ...(rate && { rate: rate.price, rateSources: rate.sources, rateAt: rate.at }),
  };
}

export function toSelectionRows(request: PaymentRequest): object[] {
  return request.unsaved().selections.map((selection) => ({
    ...toSelectionRow(selection),
    ...tenantOf(request),
  }));
}

export function toSumRows(request: PaymentRequest): object[] {
  return request.unsaved().sums.map(({ seen, final, ...sum }) => ({
    ...sum,
    ...{ payment_request_id: request.id, seen: seen.toString(), final: final.toString() },
  }));
}

export function toTransferRows(request: PaymentRequest): object[] {
  return request
    .unsaved()
    .transfers.map((transfer) => ({ ...toTransferRow(transfer), ...tenantOf(request) }));
}

/** Without its request and tenant. */
export function toTransferRow(transfer: RecordedTransfer): object {
  return { ...transfer, toTag: transfer.toTag ?? '', amount: transfer.amount.toString() };
}

/** A reversed transfer is never loaded again, so each is unsaved once. */
export function toHoldRows(request: PaymentRequest): object[] {
  return request.unsaved().transfers.flatMap(({ id, network, to, toTag = '', reversedAt }) =>
    reversedAt === null
      ? []
      : {
          ...{ id: newId(), network, address: to, tag: toTag, transfer_id: id, held_at: reversedAt },
          ...tenantOf(request),
        },
  );
}

export function toHistoryRows(request: PaymentRequest): object[] {
  return request.unsaved().history.map((entry) => ({ id: request.id, ...entry }));
}

function tenantOf({ id, facts }: PaymentRequest): object {
  return {
    payment_request_id: id,
    organization_id: facts.organizationId,
    account_id: facts.accountId,
  };
}
