import type { TransactionId } from '#shared/kernel/ids.js';
import {
  completed,
  isReceivable,
  isReceivableSum,
  type MovementRecord,
  type OnChainMovement,
} from './on-chain-movement.js';
import { netOf } from './service-fee.js';

/** A payment request whose outcome is final. Source and transaction hash are the last counted transfer's. */
export interface ConfirmedPayment extends OnChainMovement {
  readonly type: 'payment_in';
  /** In smallest units. */
  readonly expectedAmount: bigint;
  readonly receivedAmount: bigint;
}

/**
 * The record of a confirmed payment: what arrived is held in custody, owed to the merchant but for the service fee.
 * @throws Error for amounts that no chain can hold, or when nothing was received
 */
export function paymentIn(id: TransactionId, payment: ConfirmedPayment): MovementRecord {
  const { receivedAmount: gross, expectedAmount: expected } = payment;
  if (!isReceivableSum(gross)) throw new Error(`${gross} cannot have been received.`);
  if (!isReceivable(expected)) throw new Error(`${expected} cannot have been requested.`);
  const net = netOf(gross, payment.feeBasisPoints);
  return completed(id, payment.type, payment, { gross, net, expected });
}
