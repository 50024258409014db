import type { DomainEvent } from '#shared/kernel/domain-event.js';
import type {
  RequestedAsset,
  PaymentRequestAssetSelected,
  PaymentRequestConfirmed,
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestIncomingTransferChanged,
  PaymentRequestReceivedChanged,
  PaymentRequestStatus,
  PaymentRequestStatusChanged,
  PaymentRequestWindowClosed,
} from '../../contract/payment-request-events.js';
import type { Deposit } from './booking/deposit-rule.js';
import { lastTransferOf } from './booking/gathering-rule.js';
import type { PaymentOutcome } from './outcome/outcome-rule.js';
import type { PaymentRequestFacts } from './payment-request-facts.js';
import { sumAmounts, type RequestProgress } from './outcome/progress.js';
import type { LostTransferReversal } from './booking/reversal-rule.js';
import type { DepositAddress, Selection } from './selection.js';
import { receivedTime, type Transfer } from '#contexts/chain-watching/contract/incoming-transfer.js';

export type EventBody<E extends DomainEvent> = Pick<E, 'type' | 'data'>;

export type StatusDetails = Pick<
  PaymentRequestStatusChanged['data'],
  'opened' | 'receivedAmount' | 'underpaymentAccepted'
>;

export function buildStatusChanged(
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

/** Contains all terms, so that the database row can be verified against the events. */
export function buildFirstEvent(
  facts: PaymentRequestFacts,
  status: 'pending' | 'created',
  { expiresAt, selected }: Pick<RequestProgress, 'expiresAt' | 'selected'>,
): EventBody<PaymentRequestStatusChanged> {
  const { underpaymentTolerance } = facts;
  const asked = selected === null ? {} : { asked: toRequestedAsset(selected) };
  const tolerance = underpaymentTolerance === undefined ? {} : { underpaymentTolerance };
  return buildStatusChanged(facts, status, {
    opened: { expiresAt: expiresAt.toISOString(), ...asked, ...tolerance },
  });
}

export function buildAssetSelected(selection: Selection): EventBody<PaymentRequestAssetSelected> {
  return { type: 'payment_request.asset_selected', data: toRequestedAsset(selection) };
}

function toRequestedAsset({ amount, depositAddress, ...selection }: Selection): RequestedAsset {
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

export function buildReceivedChanged(receivedAmount: bigint): EventBody<PaymentRequestReceivedChanged> {
  return {
    type: 'payment_request.received_changed',
    data: { receivedAmount: receivedAmount.toString() },
  };
}

export function buildWindowClosed(expiresAt: Date): EventBody<PaymentRequestWindowClosed> {
  return { type: 'payment_request.window_closed', data: { expiresAt: expiresAt.toISOString() } };
}

function feeTermsOf({ feeBasisPoints, isDelivered }: DepositAddress) {
  return { feeBasisPoints, ...(isDelivered === true ? { delivered: true as const } : {}) };
}

export function buildConfirmed(
  { referenceId }: PaymentRequestFacts,
  { selection, received, last }: PaymentOutcome,
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
      ...feeTermsOf(depositAddress),
      ...(referenceId === undefined ? {} : { referenceId }),
      to: depositAddress.address,
      ...transferOrigin(last),
    },
  };
}

export function buildDepositReceived(
  facts: PaymentRequestFacts,
  deposit: Deposit,
): EventBody<PaymentRequestDepositReceived> {
  return {
    type: 'payment_request.deposit_received',
    data: { ...toDepositedAmount(facts, deposit), reason: deposit.reason },
  };
}

export function buildIncomingTransferCompleted(
  facts: PaymentRequestFacts,
  deposit: Deposit,
): EventBody<PaymentRequestIncomingTransferChanged> {
  return {
    type: 'payment_request.incoming_transfer_changed',
    data: { ...toDepositedAmount(facts, deposit), status: 'completed' },
  };
}

export function buildIncomingTransfer(
  facts: PaymentRequestFacts,
  depositAddress: DepositAddress,
  transfer: Transfer,
  status: 'processing' | 'reversed',
): EventBody<PaymentRequestIncomingTransferChanged> {
  const amount = transfer.amount.toString();
  return {
    type: 'payment_request.incoming_transfer_changed',
    data: { ...toBookedTransfer(facts, depositAddress, transfer), amount, status },
  };
}

function toDepositedAmount(facts: PaymentRequestFacts, { transfers, depositAddress }: Deposit) {
  const last = lastTransferOf(transfers);
  const gathered = { transfers: transfers.length, on: last.gatheredOn };
  return {
    ...toBookedTransfer(facts, depositAddress, last),
    amount: sumAmounts(transfers).toString(),
    ...(gathered.on === null ? {} : { gathered: { ...gathered, on: gathered.on } }),
  };
}

export function buildCreditReversed(
  facts: PaymentRequestFacts,
  { transfer, depositAddress, postedAs, amountBefore }: LostTransferReversal,
): EventBody<PaymentRequestCreditReversed> {
  return {
    type: 'payment_request.credit_reversed',
    data: {
      ...toBookedTransfer(facts, depositAddress, transfer),
      postedAs,
      ...(transfer.depositId === null ? {} : { depositId: transfer.depositId }),
      before: amountBefore.toString(),
      after: (amountBefore - transfer.amount).toString(),
    },
  };
}

function toBookedTransfer(
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
    ...feeTermsOf(depositAddress),
    pointOfSaleId,
    ...(referenceId === undefined ? {} : { referenceId }),
    to: depositAddress.address,
    ...transferOrigin(transfer),
  };
}

function transferOrigin(transfer: Transfer) {
  const { from, transactionHash } = transfer;
  const paidAt = receivedTime(transfer).toISOString();
  return { from, ...(transactionHash === null ? {} : { transactionHash }), paidAt };
}
