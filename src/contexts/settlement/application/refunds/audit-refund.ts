import { formatAmount } from '#shared/kernel/amount.js';
import type { Actor, AuditLog } from '#contexts/identity/contract/audit-log.js';
import type { RefundState } from '../../domain/refunds/refund.js';

interface RefundAct {
  /** Null before the refund exists. */
  readonly before: RefundState | null;
  readonly after: RefundState;
  /** The person who acts in the dashboard; absent for anybody else, whose acts are not recorded. */
  readonly by: Actor | undefined;
  readonly at: Date;
}

/** Records what a person does to a refund in the dashboard, in the unit of work that does it. */
export async function auditRefund(
  auditLog: AuditLog,
  action: `refund.${'created' | 'approved' | 'cancelled'}`,
  { before, after, by, at }: RefundAct,
): Promise<void> {
  if (by === undefined) return;
  await auditLog.record({
    ...by,
    action,
    organizationId: after.organizationId,
    subjectId: after.id,
    before: before && auditable(before),
    after: auditable(after),
    at,
  });
}

function auditable({ asset, amount, ...refund }: RefundState): object {
  return {
    payment_request_id: refund.paymentRequestId,
    amount: formatAmount(amount, asset.decimals),
    unique_asset_id: asset.uniqueAssetId,
    refund_to_address: refund.to,
    reason: refund.reason,
    status: refund.status,
    approved_by: refund.approvedBy,
    ...(refund.paidBy === 'merchant' && { paid_transaction_hash: refund.transactionHash }),
  };
}
