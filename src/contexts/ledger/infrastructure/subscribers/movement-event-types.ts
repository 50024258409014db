import { toDisplayAddress } from '#contexts/networks/contract/address-spelling.js';
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
 * Renamed when deposits and reversals were added, so that workers of earlier releases, which would skip these events,
 * find no checkpoint and post nothing.
 */
export const LEDGER_SUBSCRIBER = 'ledger_movements';

export type PublishedMovementEvent =
  PaymentRequestConfirmed | PaymentRequestDepositReceived | PaymentRequestCreditReversed;

export const MOVEMENT_EVENT_TYPES: readonly PublishedMovementEvent['type'][] = [
  'payment_request.confirmed',
  'payment_request.deposit_received',
  'payment_request.credit_reversed',
];

export function toMovement(event: PublishedEvent<PublishedMovementEvent>): Movement {
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

/** Converts addresses to EIP-55 when posting, because hashing them for every page of a list would cost more. */
function movementOf({
  aggregateId,
  organizationId,
  accountId,
  type,
  occurredAt,
  data,
}: PublishedEvent<PublishedMovementEvent>): OnChainMovement {
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
    // Events of the previous release have no block timestamp.
    occurredAt:
      type === 'payment_request.credit_reversed' || data.paidAt === undefined
        ? occurredAt
        : new Date(data.paidAt),
    from: toDisplayAddress(data.from),
    to: toDisplayAddress(data.to),
  };
}
