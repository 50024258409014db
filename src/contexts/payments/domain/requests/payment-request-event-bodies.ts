import type { DomainEvent } from '../../../../shared/kernel/domain-event.js';
import type {
  PaymentRequestAssetSelected,
  PaymentRequestConfirmed,
  PaymentRequestReceivedChanged,
  PaymentRequestStatus,
  PaymentRequestStatusChanged,
  PaymentRequestWindowClosed,
} from '../../contract/payment-request-events.js';
import type { Outcome } from './outcome-rule.js';
import type { PaymentRequestFacts } from './payment-request-facts.js';
import type { Selection } from './selection.js';
import { inChainOrder, type Transfer } from './transfer.js';

/** Type and data of an event, without its aggregate, tenant and time. */
export type EventBody<E extends DomainEvent> = Pick<E, 'type' | 'data'>;

export function statusChanged(
  { pointOfSaleId, referenceId }: PaymentRequestFacts,
  status: PaymentRequestStatus,
): EventBody<PaymentRequestStatusChanged> {
  return {
    type: 'payment_request.status_changed',
    data: {
      ...{ status, paymentRequestType: 'fixed', pointOfSaleId },
      ...(referenceId === undefined ? {} : { referenceId }),
    },
  };
}

export function assetSelected({
  network,
  uniqueAssetId,
  amount,
}: Selection): EventBody<PaymentRequestAssetSelected> {
  return {
    type: 'payment_request.asset_selected',
    data: { network, uniqueAssetId, amount: amount.toString() },
  };
}

export function receivedChanged(receivedAmount: bigint): EventBody<PaymentRequestReceivedChanged> {
  return {
    type: 'payment_request.received_changed',
    data: { receivedAmount: receivedAmount.toString() },
  };
}

export function windowClosed(expiresAt: Date): EventBody<PaymentRequestWindowClosed> {
  return { type: 'payment_request.window_closed', data: { expiresAt: expiresAt.toISOString() } };
}

/** The ledger step: what was received, and by the terms of which address. */
export function confirmed(
  { referenceId }: PaymentRequestFacts,
  { network, uniqueAssetId, currency, decimals, amount, depositAddress }: Selection,
  outcome: Exclude<Outcome, { status: 'expired' }>,
): EventBody<PaymentRequestConfirmed> {
  const last = [...outcome.by].sort(inChainOrder).at(-1)!;
  return {
    type: 'payment_request.confirmed',
    data: {
      ...{ network, uniqueAssetId, currency, decimals },
      expectedAmount: amount.toString(),
      receivedAmount: outcome.received.toString(),
      feeBasisPoints: depositAddress.feeBasisPoints,
      ...(referenceId === undefined ? {} : { referenceId }),
      to: depositAddress.address,
      ...senderAndTransaction(last),
    },
  };
}

/** Sender and transaction, as far as they are known. */
export function senderAndTransaction({ from, transactionHash }: Transfer) {
  return { from, ...(transactionHash === null ? {} : { transactionHash }) };
}
