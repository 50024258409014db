import type { AccountId } from '#shared/kernel/ids.js';
import { serializeMerchantEventBody } from '#contexts/webhooks/application/events/notifications.js';

const ID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44';
const TIME = '2027-02-28T10:00:00.000Z';
const ABOUT = { aggregateId: ID, accountId: ID as AccountId };
const ASSET = { network: 'polygon', uniqueAssetId: 'npolygon_t0xAbc', currency: 'USDC', decimals: 6 };
const REQUEST = { referenceId: 'order', pointOfSaleId: ID };
const TRANSFER = {
  ...{ ...REQUEST, ...ASSET, transferId: ID, feeBasisPoints: 100 },
  ...{ from: '0xFrom', to: '0xTo', transactionHash: '0xhash' },
};
/** A transfer of no known transaction, to a request without a reference, leaves these out. */
const LEFT_OUT = { referenceId: undefined, transactionHash: undefined };
const SUBSCRIPTION = {
  ...{ pointOfSaleId: ID, status: 'revoked' as const, ...ASSET, amount: '5000000', interval: 'P1M' },
};

export interface EventBodies {
  readonly schema: string;
  /** `full` has every field that it can have, `least` only those that it always has. */
  readonly full: string;
  readonly least: string;
}

export const EVENT_BODIES: readonly EventBodies[] = [
  {
    schema: 'PaymentRequestNotification',
    full: aPaymentRequest(REQUEST),
    least: aPaymentRequest({ ...REQUEST, ...LEFT_OUT }),
  },
  {
    schema: 'DepositNotification',
    full: aDeposit({ ...TRANSFER, gathered: { transfers: 3, on: '2026-01-31' } }),
    least: aDeposit({ ...TRANSFER, ...LEFT_OUT }),
  },
  {
    schema: 'IncomingTransferNotification',
    full: anIncomingTransfer({ ...TRANSFER, gathered: { transfers: 3, on: '2026-01-31' } }),
    least: anIncomingTransfer({ ...TRANSFER, ...LEFT_OUT }),
  },
  {
    schema: 'AdjustmentNotification',
    full: anAdjustment(TRANSFER),
    least: anAdjustment({ ...TRANSFER, ...LEFT_OUT }),
  },
  { schema: 'RefundNotification', full: aRefund(), least: aRefund() },
  ...(['completed', 'failed'] as const).map((status) => ({
    schema: 'SettlementNotification',
    full: aSettlement(status),
    least: aSettlement(status),
  })),
  {
    schema: 'SubscriptionNotification',
    full: serializeMerchantEventBody({
      ...ABOUT,
      type: 'subscription.status_changed',
      data: {
        ...{ ...SUBSCRIPTION, referenceId: 'member-77', walletExternalId: 'wallet-1' },
        ...{ nextChargeAt: TIME, expiresAt: TIME, revokedBy: 'payer' },
      },
    }),
    least: serializeMerchantEventBody({ ...ABOUT, type: 'subscription.status_changed', data: SUBSCRIPTION }),
  },
];

function aPaymentRequest(request: {
  readonly pointOfSaleId: string;
  readonly referenceId?: string | undefined;
}): string {
  return serializeMerchantEventBody({
    ...ABOUT,
    type: 'payment_request.status_changed',
    data: { ...request, paymentRequestType: 'fixed', status: 'completed' },
  });
}

type Transfer = Omit<typeof TRANSFER, keyof typeof LEFT_OUT> & {
  readonly referenceId?: string | undefined;
  readonly transactionHash?: string | undefined;
  readonly gathered?: { readonly transfers: number; readonly on: string };
};

function aDeposit(transfer: Transfer): string {
  return serializeMerchantEventBody({
    ...ABOUT,
    type: 'payment_request.deposit_received',
    data: { ...transfer, amount: '1', reason: 'late' },
  });
}

function anIncomingTransfer(transfer: Transfer): string {
  return serializeMerchantEventBody({
    ...ABOUT,
    type: 'payment_request.incoming_transfer_changed',
    data: { ...transfer, amount: '1', status: 'completed' },
  });
}

function anAdjustment(transfer: Transfer): string {
  return serializeMerchantEventBody({
    ...ABOUT,
    type: 'payment_request.credit_reversed',
    data: { ...transfer, postedAs: 'deposit', before: '2', after: '1' },
  });
}

function aRefund(): string {
  return serializeMerchantEventBody({
    ...ABOUT,
    type: 'refund.status_changed',
    data: {
      ...{ ...ASSET, paymentRequestId: ID, pointOfSaleId: ID, status: 'completed' as const },
      ...{ amount: '1', from: '0xFrom' },
    },
  });
}

function aSettlement(status: 'completed' | 'failed'): string {
  const address = {
    ...{ paymentRequestId: ID, address: '0xFrom', feeBasisPoints: 100 },
    ...{ toSettlement: '24750000', toFee: '250000' },
  };
  return serializeMerchantEventBody({
    ...ABOUT,
    type: 'settlement.status_changed',
    data: {
      ...{ ...ASSET, status, amount: '24750000', feeAmount: '250000', from: '0xFrom' },
      ...{ settlementAddress: '0xTo', transactionHash: '0xhash', addresses: [address] },
    },
  });
}
