import { inChainOrder, type Arrival, type Transfer } from './transfer.js';
import type { OutcomeStatus } from './status.js';

/** How far a network has been read, and how much of that can no longer disappear. */
export interface ChainProgress {
  /** Up to when everything is known that arrived; earlier than the newest block read while balances are not. */
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
      /** What makes up `received`, in chain order; never empty. Transfers after it came too late to be part of it. */
      readonly by: readonly Transfer[];
    }
  | { readonly status: 'expired' };

/**
 * Decides a request from the chain alone, so that every replica, at any later time, decides the same.
 * Blocks are taken one by one: the first final block at which the sum reaches the amount ends the request, and
 * what stands in later blocks is not part of it, even if those are final by now too. A transfer that awaits agreement
 * may yet turn out not to be there, so nothing is decided by its block or a later one. Inner value that is found late
 * is in time by its date, in a block that may be read long after the deadline: for want of money nothing ends before
 * all that counts is final.
 * @param counted transfers that are in time and in the right asset, final or not
 * @returns null while it is too early to tell
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
