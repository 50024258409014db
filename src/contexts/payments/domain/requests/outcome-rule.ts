import { inChainOrder, type Arrival, type Transfer } from './transfer.js';
import type { OutcomeStatus } from './status.js';

/** How far a network has been read, and how much of that can no longer disappear. */
export interface ChainProgress {
  /** The progress watermark: every arrival up to this time is known. Earlier than the newest block while balances are not. */
  readonly headTime: Date;
  /** Null until the first block is final. */
  readonly final: { readonly number: number; readonly time: Date } | null;
}

export interface Expected {
  /** Smallest units. */
  readonly amount: bigint;
  /** The last block timestamp that counts. */
  readonly countsUntil: Date;
}

export type Outcome =
  | {
      readonly status: OutcomeStatus;
      readonly received: bigint;
      /** What makes up `received`, in chain order; never empty. Later transfers are not part of it. */
      readonly by: readonly Transfer[];
    }
  | { readonly status: 'expired' };

/**
 * Decides a request from the chain alone, so that every replica, at any later time, decides the same.
 * 1. Blocks are taken one by one. The first final block at which the sum reaches the amount ends the request; transfers
 *    in later blocks are not part of it, even if those are final too.
 * 2. A transfer that awaits a cross-check may prove not to exist, so its block and later ones decide nothing.
 * 3. An internal transfer may be found, and be in time, in a block read long after the deadline. So a request ends
 *    underpaid or expired only once all its counted transfers are final.
 * @param counted transfers that are in time and in the right asset, final or not
 * @returns null while the request cannot be decided
 */
export function decideOutcome(
  expected: Expected,
  counted: readonly Arrival[],
  chain: ChainProgress,
): Outcome | null {
  const finalNumber = chain.final?.number ?? -1;
  const final = counted.filter((transfer) => transfer.blockNumber <= finalNumber).sort(inChainOrder);
  let received = 0n;
  for (const [position, transfer] of final.entries()) {
    if (transfer.awaitsCrossCheck) return null;
    received += transfer.amount;
    const endsBlock = final[position + 1]?.blockNumber !== transfer.blockNumber;
    if (endsBlock && received >= expected.amount) {
      const status = received === expected.amount ? 'completed' : 'overpaid';
      return { status, received, by: final.slice(0, position + 1) };
    }
  }
  if (chain.final === null || chain.final.time <= expected.countsUntil) return null;
  if (final.length < counted.length) return null;
  return received > 0n ? { status: 'underpaid', received, by: final } : { status: 'expired' };
}
