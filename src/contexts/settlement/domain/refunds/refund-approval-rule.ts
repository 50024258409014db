import type { RefundStatus } from '../../contract/refund-events.js';
import { refundNotClaimed, refundNotPending } from './refund-refusals.js';

/**
 * Refuses to approve a refund that is not pending or has no address yet. The approver may be an API credential whose
 * scope includes the refund, a dashboard user whose role may manage (with a fresh second-factor code each time), or the
 * account's limit.
 * @throws state_conflict
 */
export function refuseUnapprovable({
  status,
  to,
}: {
  readonly status: RefundStatus;
  readonly to?: string;
}): void {
  if (status !== 'pending') throw refundNotPending(status);
  if (to === undefined) throw refundNotClaimed();
}

/** Recorded as the approver if the account's limit approves a claimed refund. */
export const APPROVED_BY_LIMIT = 'limit';

export function isApprovedByLimit(
  limit: { readonly automaticBelow: bigint } | null,
  amount: bigint,
): boolean {
  return limit !== null && amount < limit.automaticBelow;
}
