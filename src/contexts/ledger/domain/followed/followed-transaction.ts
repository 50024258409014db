import type { AccountId, OrganizationId, TransactionId } from '#shared/kernel/ids.js';
import type { Entry } from '../balanced-posting.js';
import type { FollowedStatus } from './facts.js';
import type { BookedMoney } from './open-money.js';

/** A transaction that is written and follows its source, as far as it has come. */
export interface FollowedTransaction {
  readonly id: TransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly status: FollowedStatus;
  /** Statuses that it has had. */
  readonly steps: number;
  /** Journal lines that it has. */
  readonly lines: number;
  /** The sums of these lines, at most one entry for each ledger account and asset. */
  readonly booked: readonly Entry[];
  /** The money that a settlement delivered. */
  readonly delivered: readonly BookedMoney[];
}

const EDGES: Record<FollowedStatus, readonly FollowedStatus[]> = {
  processing: ['completed', 'failed'],
  // A reorganisation beyond finality.
  completed: ['failed'],
  failed: [],
};

/** @throws Error where no edge of the life cycle leads there */
export function refuseImpossible(from: FollowedStatus, to: FollowedStatus): void {
  if (!EDGES[from].includes(to)) throw new Error(`A ledger record cannot change from ${from} to ${to}.`);
}
