import type { TransactionId } from '#shared/kernel/ids.js';
import { adjustment, type ReversedCredit } from './adjustment.js';
import { deposit, type ReceivedDeposit } from './deposit.js';
import { paymentIn, type ConfirmedPayment } from './payment-in.js';
import type { MovementRecord } from './on-chain-movement.js';

/** A movement of money that one transaction records. */
export type Movement = ConfirmedPayment | ReceivedDeposit | ReversedCredit;

/**
 * An occasion has one transaction for ever: a payment request its `payment_in`, a transfer its `deposit` and
 * its `adjustment`.
 */
export type Occasion = `${Movement['type']} ${string}`;

export function occasionOf(movement: Movement): Occasion {
  const id = movement.type === 'payment_in' ? movement.paymentRequestId : movement.transferId;
  return `${movement.type} ${id}`;
}

/** @throws Error for a movement that cannot have happened */
export function transactionOf(id: TransactionId, movement: Movement): MovementRecord {
  switch (movement.type) {
    case 'payment_in':
      return paymentIn(id, movement);
    case 'deposit':
      return deposit(id, movement);
    case 'adjustment':
      return adjustment(id, movement);
  }
}
