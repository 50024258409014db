import type { TransactionId } from '#shared/kernel/ids.js';
import { completed, isReceivable, type MovementRecord, type OnChainMovement } from './on-chain-movement.js';
import { netOf } from './service-fee.js';

/** A final transfer to a deposit address that is no part of what its payment request received. */
export interface ReceivedDeposit extends OnChainMovement {
  readonly type: 'deposit';
  readonly transferId: string;
  /** In smallest units. */
  readonly amount: bigint;
}

/**
 * The record of money beside a payment: held, owed and charged like a payment. Nobody asked for it, so what was
 * expected is what came.
 * @throws Error for an amount that no chain can hold, or of nothing
 */
export function deposit(id: TransactionId, received: ReceivedDeposit): MovementRecord {
  const { amount: gross, transferId, feeBasisPoints } = received;
  if (!isReceivable(gross)) throw new Error(`${gross} cannot have been deposited.`);
  const net = netOf(gross, feeBasisPoints);
  return { ...completed(id, received.type, received, { gross, net, expected: gross }), transferId };
}
