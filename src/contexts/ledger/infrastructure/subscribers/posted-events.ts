import { addressForPeople } from '#contexts/networks/contract/address-spelling.js';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type {
  PaymentRequestConfirmed,
  PaymentRequestCreditReversed,
  PaymentRequestDepositReceived,
} from '#contexts/payments/contract/payment-request-events.js';
import type { Movement } from '../../domain/movement.js';
import type { OnChainMovement } from '../../domain/on-chain-movement.js';

/**
 * The ledger's name among the positions. The release that learnt of deposits and reversals has changed it: a worker of
 * an earlier one, which would pass over them, finds no position of its own any more and posts nothing.
 */
export const LEDGER_SUBSCRIBER = 'ledger_movements';

/** A fact that there is to be one transaction of. */
export type PostedEvent =
  PaymentRequestConfirmed | PaymentRequestDepositReceived | PaymentRequestCreditReversed;

export const POSTED_EVENTS: readonly PostedEvent['type'][] = [
  'payment_request.confirmed',
  'payment_request.deposit_received',
  'payment_request.credit_reversed',
];

export function toMovement(event: PublishedEvent<PostedEvent>): Movement {
  switch (event.type) {
    case 'payment_request.confirmed':
      return {
        ...movementOf(event),
        type: 'payment_in',
        expectedAmount: BigInt(event.data.expectedAmount),
        receivedAmount: BigInt(event.data.receivedAmount),
      };
    case 'payment_request.deposit_received':
      return {
        ...movementOf(event),
        type: 'deposit',
        transferId: event.data.transferId,
        amount: BigInt(event.data.amount),
      };
    case 'payment_request.credit_reversed':
      return {
        ...movementOf(event),
        type: 'adjustment',
        transferId: event.data.transferId,
        before: BigInt(event.data.before),
        after: BigInt(event.data.after),
      };
  }
}

/** Addresses are written in EIP-55 once, here, because hashing them again for every page would cost more than the page. */
function movementOf({
  aggregateId,
  organizationId,
  accountId,
  type,
  occurredAt,
  data,
}: PublishedEvent<PostedEvent>): OnChainMovement {
  const { network, uniqueAssetId, currency, decimals, feeBasisPoints, delivered, referenceId } = data;
  return {
    paymentRequestId: aggregateId as PaymentRequestId,
    organizationId,
    accountId,
    network,
    uniqueAssetId,
    currency,
    decimals,
    feeBasisPoints,
    delivered,
    referenceId,
    transactionHash: data.transactionHash,
    // An event of the release before names no block's time.
    occurredAt:
      type === 'payment_request.credit_reversed' || data.paidAt === undefined
        ? occurredAt
        : new Date(data.paidAt),
    from: addressForPeople(data.from),
    to: addressForPeople(data.to),
  };
}
