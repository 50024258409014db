import { notificationBody } from '#contexts/webhooks/domain/events/payment-request-notification.js';
import { refundBody } from '#contexts/webhooks/domain/events/refund-notification.js';
import { settlementBody } from '#contexts/webhooks/domain/events/settlement-notification.js';
import { subscriptionBody } from '#contexts/webhooks/domain/events/subscription-notification.js';
import { adjustmentBody, depositBody } from '#contexts/webhooks/domain/events/transfer-notification.js';

const ID = '0193b2f4-5f0e-7c1a-9d1e-0a4b5c6d7e44';
const TIME = '2027-02-28T10:00:00.000Z';
const ASSET = { network: 'polygon', uniqueAssetId: 'npolygon_t0xAbc', currency: 'USDC', decimals: 6 };
const REQUEST = {
  paymentRequestId: ID,
  externalReferenceId: 'order',
  pointOfSaleId: ID,
  accountId: ID,
};
const TRANSFER = { ...REQUEST, ...ASSET, address: '0xTo', transactionHash: '0xhash' };
/** A transfer of no known transaction, to a request without a reference, leaves these out. */
const LEFT_OUT = { externalReferenceId: undefined, transactionHash: undefined };
const SUBSCRIPTION = {
  ...{ subscriptionId: ID, accountId: ID, pointOfSaleId: ID, status: 'revoked', ...ASSET },
  ...{ amount: 5_000_000n, interval: 'P1M' },
};

export interface EventBodies {
  /** The component of the reference that describes it. */
  readonly schema: string;
  /** With every field that it can have, and with none but those that it always has. */
  readonly full: string;
  readonly least: string;
}

/** The bodies of every kind of event, as the code that sends them spells them. */
export const EVENT_BODIES: readonly EventBodies[] = [
  {
    schema: 'PaymentRequestNotification',
    full: notificationBody({ ...REQUEST, paymentRequestType: 'fixed', status: 'completed' }),
    least: notificationBody({ ...REQUEST, ...LEFT_OUT, paymentRequestType: 'fixed', status: 'completed' }),
  },
  {
    schema: 'DepositNotification',
    full: depositBody({
      ...{ ...TRANSFER, amount: 1n, reason: 'late' },
      gathered: { transfers: 3, on: '2026-01-31' },
    }),
    least: depositBody({ ...TRANSFER, ...LEFT_OUT, amount: 1n, reason: 'late' }),
  },
  {
    schema: 'AdjustmentNotification',
    full: adjustmentBody({ ...TRANSFER, reverses: 'deposit', before: 2n, after: 1n }),
    least: adjustmentBody({ ...TRANSFER, ...LEFT_OUT, reverses: 'deposit', before: 2n, after: 1n }),
  },
  {
    schema: 'RefundNotification',
    full: refundBody({ ...REQUEST, refundId: ID, status: 'completed' }),
    least: refundBody({ ...REQUEST, refundId: ID, status: 'completed' }),
  },
  ...['completed', 'failed'].map((status) => ({
    schema: 'SettlementNotification',
    full: aSettlement(status),
    least: aSettlement(status),
  })),
  {
    schema: 'SubscriptionNotification',
    full: subscriptionBody({
      ...{ ...SUBSCRIPTION, referenceId: 'member-77', walletExternalId: 'wallet-1' },
      ...{ nextChargeAt: TIME, expiresAt: TIME, revokedBy: 'payer' },
    }),
    least: subscriptionBody(SUBSCRIPTION),
  },
];

function aSettlement(status: string): string {
  return settlementBody({
    ...{ ...ASSET, settlementId: ID, status, accountId: ID, amount: 24_750_000n, feeAmount: 250_000n },
    ...{ settlementAddress: '0xTo', transactionHash: '0xhash', paymentCount: 1 },
  });
}
