import { newId } from '../../../../../shared/kernel/ids.js';
import type { PaymentRequest } from '../../../domain/requests/payment-request.js';
import type { Selection } from '../../../domain/requests/selection.js';

/** Rows as the statements of `save-payment-requests.sql.ts` and `add-checkout.sql.ts` take them. */
export function toStateRow(request: PaymentRequest): object {
  const { selected, receivedAmount, expiresAt, countsUntil, confirmedAt, ...state } = request.snapshot();
  return {
    ...{ id: state.id, status: state.status, version: state.version },
    network: selected?.network ?? null,
    unique_asset_id: selected?.uniqueAssetId ?? null,
    currency: selected?.currency ?? null,
    decimals: selected?.decimals ?? null,
    amount: selected?.amount.toString() ?? null,
    received_amount: receivedAmount.toString(),
    expires_at: expiresAt,
    counts_until: countsUntil,
    confirmed_at: confirmedAt,
  };
}

export function toSelectionRow({ depositAddress, rate, ...selection }: Selection): object {
  return {
    network: selection.network,
    unique_asset_id: selection.uniqueAssetId,
    currency: selection.currency,
    decimals: selection.decimals,
    amount: selection.amount.toString(),
    address: depositAddress.address,
    tag: depositAddress.tag ?? '',
    derivation: depositAddress.derivation,
    settlement_terms_id: depositAddress.settlementTermsId,
    settlement_address: depositAddress.settlementAddress,
    fee_recipient: depositAddress.feeRecipient,
    fee_basis_points: depositAddress.feeBasisPoints,
    inclusion_grace_seconds: selection.inclusionGraceSeconds,
    rate: rate?.price ?? null,
    rate_sources: rate?.sources ?? null,
    rate_at: rate?.at ?? null,
    selected_at: selection.selectedAt,
  };
}

export function toSelectionRows(request: PaymentRequest): object[] {
  return request.unsaved().selections.map((selection) => ({
    ...toSelectionRow(selection),
    ...tenantOf(request),
  }));
}

export function toTransferRows(request: PaymentRequest): object[] {
  return request.unsaved().transfers.map((transfer) => ({
    ...transfer,
    toTag: transfer.toTag ?? '',
    amount: transfer.amount.toString(),
    ...tenantOf(request),
  }));
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
