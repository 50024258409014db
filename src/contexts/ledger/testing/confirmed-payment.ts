import {
  newId,
  type AccountId,
  type OrganizationId,
  type PaymentRequestId,
} from '../../../shared/kernel/ids.js';
import type { PaymentRequestConfirmed } from '../../payments/contract/payment-request-events.js';
import type { ConfirmedPayment } from '../domain/payment-in.js';

export const USDC = 'nsandbox_t0x5fbdb2315678afecb367f032d93f642f64180aa3';

/** A confirmed payment of 10 USDC without a fee, by a merchant of its own, unless the test says otherwise. */
export function confirmedPayment(facts: Partial<ConfirmedPayment> = {}): ConfirmedPayment {
  return {
    paymentRequestId: newId<PaymentRequestId>(),
    organizationId: newId<OrganizationId>(),
    accountId: newId<AccountId>(),
    network: 'sandbox',
    uniqueAssetId: USDC,
    currency: 'USDC',
    decimals: 6,
    expectedAmount: 10_000_000n,
    receivedAmount: 10_000_000n,
    feeBasisPoints: 0,
    from: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    to: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    transactionHash: '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
    ...facts,
  };
}

/** The fact as payments publishes it. */
export function confirmedEvent(payment: ConfirmedPayment, occurredAt: Date): PaymentRequestConfirmed {
  const { paymentRequestId, organizationId, accountId, expectedAmount, receivedAmount, ...facts } = payment;
  return {
    type: 'payment_request.confirmed',
    aggregateId: paymentRequestId,
    organizationId,
    accountId,
    occurredAt,
    data: {
      ...facts,
      expectedAmount: expectedAmount.toString(),
      receivedAmount: receivedAmount.toString(),
    },
  };
}
