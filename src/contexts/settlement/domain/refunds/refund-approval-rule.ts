import type { RefundStatus } from '../../contract/refund-events.js';
import { notClaimed, notPending } from './refund-refusals.js';

/**
 * A refund is approved by a credential of the API whose scope holds it, by a person whose role on the dashboard may manage
 * (with a fresh code of the second factor each time), or by the limit of its account.
 * @throws state_conflict unless it is pending and its address is known
 */
export function refuseUnapprovable({
  status,
  to,
}: {
  readonly status: RefundStatus;
  readonly to?: string;
}): void {
  if (status !== 'pending') throw notPending(status);
  if (to === undefined) throw notClaimed();
}

/** The approver that is recorded where the limit of the account approves a claimed refund. */
export const APPROVED_BY_LIMIT = 'limit';

/** A claimed refund below the account's limit needs no approval by the merchant. */
export function isApprovedByLimit(
  limit: { readonly automaticBelow: bigint } | null,
  amount: bigint,
): boolean {
  return limit !== null && amount < limit.automaticBelow;
}
