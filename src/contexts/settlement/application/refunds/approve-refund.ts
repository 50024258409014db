import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { refuseUnapprovable } from '../../domain/refunds/refund-approval-rule.js';
import type { RefundSnapshot } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { auditRefund } from './audit-refund.js';
import { LockRefundedSum } from './lock-refunded-sum.js';
import { RefundApproval } from './refund-approval.js';

export interface ApproveRefundInput {
  readonly scope: TenantScope;
  readonly id: string;
  /** A credential's id, a person's e-mail address, or `APPROVED_BY_LIMIT`. */
  readonly by: string;
  readonly audited?: Actor;
}

@Injectable()
export class ApproveRefund {
  constructor(
    private readonly refunds: Refunds,
    private readonly lockSum: LockRefundedSum,
    private readonly approval: RefundApproval,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLog: AuditLog,
  ) {}

  async approve({ scope, id, by, audited }: ApproveRefundInput): Promise<RefundSnapshot> {
    const { snapshot } = await this.refunds.find(scope, id);
    refuseUnapprovable(snapshot);
    const { to, organizationId, asset, amount } = snapshot;
    const prepared = await this.approval.prepare({ organizationId, asset, amount, to: to! });
    return this.unitOfWork.run(async () => {
      const refund = await this.refunds.lock(scope, id);
      const [before, at] = [refund.snapshot, await this.clock.now()];
      await this.lockSum.refuseReversed(before);
      await this.approval.grant(refund, prepared, by, at);
      await this.refunds.save(refund);
      const after = refund.snapshot;
      await auditRefund(this.auditLog, 'refund.approved', { before, after, by: audited, at });
      return after;
    });
  }
}
