import type { TransactionId } from '#shared/kernel/ids.js';
import {
  completed,
  isReceivableSum,
  type MovementRecord,
  type OnChainMovement,
} from './on-chain-movement.js';
import { netOf } from './service-fee.js';

/** A transfer that was booked has disappeared from the chain. Its ends are those it was booked with. */
export interface ReversedCredit extends OnChainMovement {
  readonly type: 'adjustment';
  readonly transferId: string;
  /** The amount that stood of the `payment_in` or deposit that booked it, before and after it is gone, in smallest units. */
  readonly before: bigint;
  readonly after: bigint;
}

/**
 * The record of a reversal, all of it with a minus. What it takes from the merchant is the difference between what the
 * merchant is owed of `before` and of `after`, not a share of the transfer: fees are rounded on whole postings, so only
 * then does what is left carry the fee of what still stands, however many transfers disappear and in whatever order.
 * @throws Error where less than nothing would be left, or nothing has disappeared
 */
export function adjustment(id: TransactionId, credit: ReversedCredit): MovementRecord {
  const { before, after, transferId, feeBasisPoints } = credit;
  if (!isReceivableSum(before) || after < 0n || after >= before) {
    throw new Error(`A reversal cannot change ${before} to ${after}.`);
  }
  const gross = after - before;
  const net = netOf(after, feeBasisPoints) - netOf(before, feeBasisPoints);
  return { ...completed(id, credit.type, credit, { gross, net, expected: gross }), transferId };
}
