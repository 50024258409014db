import { formatAmount } from '#shared/kernel/amount.js';
import type { Actor, AuditLog } from '#contexts/identity/contract/audit-log.js';
import type { RefundSnapshot } from '../../domain/refunds/refund.js';

interface AuditedRefundAction {
  readonly before: RefundSnapshot | null;
  readonly after: RefundSnapshot;
  /** Undefined for all callers except dashboard users, whose actions alone are audited. */
  readonly by: Actor | undefined;
  readonly at: Date;
}

/** Must run in the same unit of work as the action. */
export async function auditRefund(
  auditLog: AuditLog,
  action: `refund.${'created' | 'approved' | 'cancelled' | 'claim_replaced'}`,
  { before, after, by, at }: AuditedRefundAction,
): Promise<void> {
  if (by === undefined) return;
  await auditLog.record({
    ...by,
    action,
    organizationId: after.organizationId,
    subjectId: after.id,
    before: before && auditableRefund(before),
    after: auditableRefund(after),
    at,
  });
}

function auditableRefund({ asset, amount, ...refund }: RefundSnapshot): object {
  return {
    payment_request_id: refund.paymentRequestId,
    amount: formatAmount(amount, asset.decimals),
    unique_asset_id: asset.uniqueAssetId,
    refund_to_address: refund.to,
    reason: refund.reason,
    status: refund.status,
    claim_expires_at: refund.claimExpiresAt,
    approved_by: refund.approvedBy,
    ...(refund.paidBy === 'merchant' && { paid_transaction_hash: refund.transactionHash }),
  };
}
