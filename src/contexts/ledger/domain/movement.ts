import type { LedgerTransactionId } from '#shared/kernel/ids.js';
import {
  type MovementTransaction,
  completedTransaction,
  isValidReceivedTotal,
  type OnChainMovement,
  netAfterFee,
  isValidReceivedAmount,
} from './on-chain-movement.js';

/** Sender and transaction hash are those of the last transfer counted. */
export interface ConfirmedPayment extends OnChainMovement {
  readonly type: 'payment_in';
  readonly expectedAmount: bigint;
  readonly receivedAmount: bigint;
}

export function toPaymentInTransaction(
  id: LedgerTransactionId,
  payment: ConfirmedPayment,
): MovementTransaction {
  const { receivedAmount: gross, expectedAmount: expected } = payment;
  if (!isValidReceivedTotal(gross)) throw new Error(`${gross} cannot have been received.`);
  if (!isValidReceivedAmount(expected)) throw new Error(`${expected} cannot have been requested.`);
  const net = netAfterFee(gross, payment.feeBasisPoints);
  return completedTransaction(id, payment.type, payment, { gross, net, expected });
}

/** A final transfer to a deposit address that does not count toward the payment. */
export interface ReceivedDeposit extends OnChainMovement {
  readonly type: 'deposit';
  readonly transferId: string;
  readonly amount: bigint;
}

/** The expected amount is the amount received, because the merchant requested nothing. */
export function toDepositTransaction(
  id: LedgerTransactionId,
  received: ReceivedDeposit,
): MovementTransaction {
  const { amount: gross, transferId, feeBasisPoints } = received;
  if (!isValidReceivedAmount(gross)) throw new Error(`${gross} cannot have been deposited.`);
  const net = netAfterFee(gross, feeBasisPoints);
  return {
    ...completedTransaction(id, received.type, received, { gross, net, expected: gross }),
    transferId,
  };
}

/** A booked transfer that has disappeared from the chain, with the addresses of its first transaction. */
export interface ReversedCredit extends OnChainMovement {
  readonly type: 'adjustment';
  readonly transferId: string;
  /** The amount that remains of the payment or deposit, before and after this reversal, in smallest units. */
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * The fee is rounded on the total of a payment, so the difference between two net totals leaves the correct fee on
 * the remainder, whatever the order of reversals.
 */
export function toAdjustmentTransaction(
  id: LedgerTransactionId,
  credit: ReversedCredit,
): MovementTransaction {
  const { before, after, transferId, feeBasisPoints } = credit;
  if (!isValidReceivedTotal(before) || after < 0n || after >= before) {
    throw new Error(`A reversal cannot change ${before} to ${after}.`);
  }
  const gross = after - before;
  const net = netAfterFee(after, feeBasisPoints) - netAfterFee(before, feeBasisPoints);
  return { ...completedTransaction(id, credit.type, credit, { gross, net, expected: gross }), transferId };
}

export type Movement = ConfirmedPayment | ReceivedDeposit | ReversedCredit;

/** Id of the payment request (`payment_in`) or of the transfer. The ledger has at most one transaction per key. */
export type MovementKey = `${Movement['type']} ${string}`;

export function movementKey(movement: Movement): MovementKey {
  const id = movement.type === 'payment_in' ? movement.paymentRequestId : movement.transferId;
  return `${movement.type} ${id}`;
}

export function toMovementTransaction(id: LedgerTransactionId, movement: Movement): MovementTransaction {
  switch (movement.type) {
    case 'payment_in':
      return toPaymentInTransaction(id, movement);
    case 'deposit':
      return toDepositTransaction(id, movement);
    case 'adjustment':
      return toAdjustmentTransaction(id, movement);
  }
}
