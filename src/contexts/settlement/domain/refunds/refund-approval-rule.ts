import type { RefundStatus } from '../../contract/refund-events.js';
import { refundNotClaimedError, refundNotPendingError } from './refund-refusals.js';

/** @throws state_conflict if the refund is not pending or has no address yet */
export function refuseUnapprovable({
  status,
  to,
}: {
  readonly status: RefundStatus;
  readonly to?: string;
}): void {
  if (status !== 'pending') throw refundNotPendingError(status);
  if (to === undefined) throw refundNotClaimedError();
}

export const APPROVED_BY_LIMIT = 'limit';

export function isApprovedByLimit(
  limit: { readonly automaticBelow: bigint } | null,
  amount: bigint,
): boolean {
  return limit !== null && amount < limit.automaticBelow;
}
