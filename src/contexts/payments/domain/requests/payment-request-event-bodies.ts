import type { DomainEvent } from '#shared/kernel/domain-event.js';
import type {
  AskedAsset,
  PaymentRequestAssetSelected,
  PaymentRequestConfirmed,
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestReceivedChanged,
  PaymentRequestStatus,
  PaymentRequestStatusChanged,
  PaymentRequestWindowClosed,
} from '../../contract/payment-request-events.js';
import type { Deposit } from './booking/deposit-rule.js';
import { lastOf } from './booking/gathering-rule.js';
import type { Outcome } from './outcome/outcome-rule.js';
import type { PaymentRequestFacts } from './payment-request-facts.js';
import { amountOf, type Progress } from './outcome/progress.js';
import type { Reversal } from './booking/reversal-rule.js';
import type { DepositAddress, Selection } from './selection.js';
import { arrivalTime, type Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

export type EventBody<E extends DomainEvent> = Pick<E, 'type' | 'data'>;

export type StatusDetails = Pick<
  PaymentRequestStatusChanged['data'],
  'opened' | 'receivedAmount' | 'underpaymentAccepted'
>;

export function statusChanged(
  { pointOfSaleId, referenceId }: PaymentRequestFacts,
  status: PaymentRequestStatus,
  more: StatusDetails = {},
): EventBody<PaymentRequestStatusChanged> {
  return {
    type: 'payment_request.status_changed',
    data: {
      status,
      paymentRequestType: 'fixed',
      pointOfSaleId,
      ...(referenceId === undefined ? {} : { referenceId }),
      ...more,
    },
  };
}

/**
 * Builds the first event of a request. It contains all terms, so that the database row can be verified against the
 * events.
 */
export function opened(
  facts: PaymentRequestFacts,
  status: 'pending' | 'created',
  { expiresAt, selected }: Pick<Progress, 'expiresAt' | 'selected'>,
): EventBody<PaymentRequestStatusChanged> {
  const { underpaymentTolerance } = facts;
  const asked = selected === null ? {} : { asked: askedAsset(selected) };
  const tolerance = underpaymentTolerance === undefined ? {} : { underpaymentTolerance };
  return statusChanged(facts, status, {
    opened: { expiresAt: expiresAt.toISOString(), ...asked, ...tolerance },
  });
}

export function assetSelected(selection: Selection): EventBody<PaymentRequestAssetSelected> {
  return { type: 'payment_request.asset_selected', data: askedAsset(selection) };
}

function askedAsset({ amount, depositAddress, ...selection }: Selection): AskedAsset {
  const { network, uniqueAssetId, currency, decimals, inclusionGraceSeconds } = selection;
  const { address, tag, settlementTermsId } = depositAddress;
  return {
    network,
    uniqueAssetId,
    amount: amount.toString(),
    currency,
    decimals,
    inclusionGraceSeconds,
    to: address,
    ...(tag === undefined ? {} : { tag }),
    settlementTermsId,
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

function termsOf({ feeBasisPoints, isDelivered }: DepositAddress) {
  return { feeBasisPoints, ...(isDelivered === true ? { delivered: true as const } : {}) };
}

export function confirmed(
  { referenceId }: PaymentRequestFacts,
  { selection, received, last }: Outcome,
): EventBody<PaymentRequestConfirmed> {
  const { network, uniqueAssetId, currency, decimals, amount, depositAddress } = selection;
  return {
    type: 'payment_request.confirmed',
    data: {
      network,
      uniqueAssetId,
      currency,
      decimals,
      expectedAmount: amount.toString(),
      receivedAmount: received.toString(),
      ...termsOf(depositAddress),
      ...(referenceId === undefined ? {} : { referenceId }),
      to: depositAddress.address,
      ...senderAndTransaction(last),
    },
  };
}

export function depositReceived(
  facts: PaymentRequestFacts,
  { transfers, depositAddress, reason }: Deposit,
): EventBody<PaymentRequestDepositReceived> {
  const last = lastOf(transfers);
  const gathered = { transfers: transfers.length, on: last.gatheredOn };
  return {
    type: 'payment_request.deposit_received',
    data: {
      ...bookedTransfer(facts, depositAddress, last),
      amount: amountOf(transfers).toString(),
      reason,
      ...(gathered.on === null ? {} : { gathered: { ...gathered, on: gathered.on } }),
    },
  };
}

export function creditReversed(
  facts: PaymentRequestFacts,
  { transfer, depositAddress, postedAs, amountBefore }: Reversal,
): EventBody<PaymentRequestCreditReversed> {
  return {
    type: 'payment_request.credit_reversed',
    data: {
      ...bookedTransfer(facts, depositAddress, transfer),
      postedAs,
      ...(transfer.depositId === null ? {} : { depositId: transfer.depositId }),
      before: amountBefore.toString(),
      after: (amountBefore - transfer.amount).toString(),
    },
  };
}

function bookedTransfer(
  { pointOfSaleId, referenceId }: PaymentRequestFacts,
  depositAddress: DepositAddress,
  transfer: Transfer,
) {
  const { id, network, uniqueAssetId, currency, decimals } = transfer;
  return {
    transferId: id,
    network,
    uniqueAssetId,
    currency,
    decimals,
    ...termsOf(depositAddress),
    pointOfSaleId,
    ...(referenceId === undefined ? {} : { referenceId }),
    to: depositAddress.address,
    ...senderAndTransaction(transfer),
  };
}

function senderAndTransaction(transfer: Transfer) {
  const { from, transactionHash } = transfer;
  const paidAt = arrivalTime(transfer).toISOString();
  return { from, ...(transactionHash === null ? {} : { transactionHash }), paidAt };
}
