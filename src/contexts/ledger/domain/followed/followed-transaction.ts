import type { AccountId, OrganizationId, TransactionId } from '#shared/kernel/ids.js';
import type { Entry } from '../balanced-posting.js';
import type { FollowedStatus } from './facts.js';
import type { BookedMoney } from './open-money.js';

/** An existing transaction and the last state of its source. */
export interface FollowedTransaction {
  readonly id: TransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly status: FollowedStatus;
  /** Number of its statuses. */
  readonly steps: number;
  /** Number of its journal lines. */
  readonly lines: number;
  /** Sums of its journal lines, at most one entry per ledger account and asset. */
  readonly booked: readonly Entry[];
  /** The money that its settlement delivered. */
  readonly delivered: readonly BookedMoney[];
}

const EDGES: Record<FollowedStatus, readonly FollowedStatus[]> = {
  processing: ['completed', 'failed'],
  // After a chain reorganization deeper than finality.
  completed: ['failed'],
  failed: [],
};

/** @throws Error if the status cannot change in this way */
export function refuseImpossible(from: FollowedStatus, to: FollowedStatus): void {
  if (!EDGES[from].includes(to)) throw new Error(`A ledger record cannot change from ${from} to ${to}.`);
}
