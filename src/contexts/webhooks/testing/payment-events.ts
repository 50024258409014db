import { newId, type AccountId, type OrganizationId } from '#shared/kernel/ids.js';
import type {
  PaymentRequestAcceptedAsPaid,
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
  PaymentRequestIncomingTransferChanged,
  PaymentRequestStatusChanged,
} from '#contexts/payments/contract/payment-request-events.js';
import type { RefundStatusChanged } from '#contexts/settlement/contract/refund-events.js';
import type { SubscriptionStatusChanged } from '#contexts/subscriptions/contract/subscription-events.js';
import type { SettlementStatusChanged } from '#contexts/settlement/contract/settlement-events.js';

export interface Account {
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

const eventBase = (account: Account, aggregateId: string) => ({
  ...{ aggregateId, ...account, occurredAt: new Date() },
});

export const newAccount = (): Account => ({ organizationId: newId(), accountId: newId() });

export function statusChanged(
  account: Account,
  data: Partial<PaymentRequestStatusChanged['data']> = {},
  paymentRequestId: string = newId(),
): PaymentRequestStatusChanged {
  return {
    ...eventBase(account, paymentRequestId),
    type: 'payment_request.status_changed',
    data: { status: 'completed', paymentRequestType: 'fixed', pointOfSaleId: newId(), ...data },
  };
}

export function acceptedAsPaid(
  account: Account,
  data: Partial<PaymentRequestAcceptedAsPaid['data']> = {},
  paymentRequestId: string = newId(),
): PaymentRequestAcceptedAsPaid {
  const accepted = { status: 'underpaid', underpaymentAccepted: true, paymentRequestType: 'fixed' } as const;
  return {
    ...eventBase(account, paymentRequestId),
    type: 'payment_request.accepted_as_paid',
    data: { ...accepted, pointOfSaleId: newId(), ...data },
  };
}

const sampleTransfer = () => ({
  transferId: newId<string>(),
  network: 'polygon',
  uniqueAssetId: 'npolygon_t0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
  ...{ currency: 'USDC', decimals: 6, feeBasisPoints: 100, pointOfSaleId: newId<string>() },
  to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
});

/** A deposit of 5 USDC, by default to a new payment request. */
export function depositReceived(
  account: Account,
  data: Partial<PaymentRequestDepositReceived['data']> = {},
  paymentRequestId: string = newId(),
): PaymentRequestDepositReceived {
  return {
    ...eventBase(account, paymentRequestId),
    type: 'payment_request.deposit_received',
    data: { ...sampleTransfer(), amount: '5000000', reason: 'after_outcome', ...data },
  };
}

/** A transfer of 5 USDC, by default to a new payment request. */
export function incomingTransferChanged(
  account: Account,
  status: PaymentRequestIncomingTransferChanged['data']['status'],
  paymentRequestId: string = newId(),
): PaymentRequestIncomingTransferChanged {
  return {
    ...eventBase(account, paymentRequestId),
    type: 'payment_request.incoming_transfer_changed',
    data: { ...sampleTransfer(), amount: '5000000', status },
  };
}

/** The reversal of 9 of 10 USDC received, by default for a new payment request. */
export function creditReversed(
  account: Account,
  data: Partial<PaymentRequestCreditReversed['data']> = {},
  paymentRequestId: string = newId(),
): PaymentRequestCreditReversed {
  return {
    ...eventBase(account, paymentRequestId),
    type: 'payment_request.credit_reversed',
    data: { ...sampleTransfer(), postedAs: 'payment_in', before: '10000000', after: '1000000', ...data },
  };
}

/** A settlement of 24.75 USDC from two addresses of one payment request, by default a new settlement. */
export function settlementChanged(
  account: Account,
  status: SettlementStatusChanged['data']['status'],
  settlementId: string = newId(),
): SettlementStatusChanged {
  const { network, uniqueAssetId, currency, decimals, transactionHash } = sampleTransfer();
  const [paymentRequestId, feeBasisPoints] = [newId<string>(), 100];
  const address = (last: number, toSettlement: string, toFee: string) => ({
    ...{ paymentRequestId, toSettlement, toFee, feeBasisPoints },
    address: `0x3c44cdddb6a900fa2b585dd299e03d12fa4293b${last}`,
  });
  return {
    ...eventBase(account, settlementId),
    type: 'settlement.status_changed',
    data: {
      ...{ status, network, uniqueAssetId, currency, decimals, transactionHash },
      ...{ amount: '24750000', feeAmount: '250000' },
      settlementAddress: '0x90f79bf6eb2c4f870365e785982e1f101e93b906',
      from: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
      addresses: [address(1, '14850000', '150000'), address(2, '9900000', '100000')],
    },
  };
}

export function refundChanged(
  account: Account,
  status: RefundStatusChanged['data']['status'],
  refundId: string = newId(),
  paymentRequestId: string = newId(),
): RefundStatusChanged {
  const { network, uniqueAssetId, currency, decimals, pointOfSaleId, transactionHash } = sampleTransfer();
  return {
    ...eventBase(account, refundId),
    type: 'refund.status_changed',
    data: {
      ...{ status, paymentRequestId, pointOfSaleId, network, uniqueAssetId, currency, decimals },
      ...{ amount: '5000000', from: '0x90f79bf6eb2c4f870365e785982e1f101e93b906' },
      ...(status === 'pending' ? {} : { to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc' }),
      ...(status === 'completed' ? { transactionHash } : {}),
    },
  };
}

export function subscriptionChanged(
  account: Account,
  data: Partial<SubscriptionStatusChanged['data']> = {},
  subscriptionId: string = newId(),
): SubscriptionStatusChanged {
  const { network, uniqueAssetId, currency, decimals, pointOfSaleId } = sampleTransfer();
  return {
    ...eventBase(account, subscriptionId),
    type: 'subscription.status_changed',
    data: {
      ...{ status: 'active', pointOfSaleId, network, uniqueAssetId, currency, decimals },
      ...{ amount: '5000000', interval: 'P1M', ...data },
    },
  };
}
