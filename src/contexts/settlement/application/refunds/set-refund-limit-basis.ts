import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { invalidField } from '#shared/kernel/domain-error.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { REFUND_LIMIT_BASES, type RefundLimitBasis } from '../../domain/refunds/refund-limits.js';
import { RefundLimits } from '../../infrastructure/refunds/persistence/refund-limits.js';

export interface SetRefundLimitBasisInput {
  readonly organizationId: OrganizationId;
  readonly basis: string;
  readonly actor: string;
}

@Injectable()
export class SetRefundLimitBasis {
  constructor(
    private readonly limits: RefundLimits,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async set({ organizationId, basis: named, actor }: SetRefundLimitBasisInput): Promise<RefundLimitBasis> {
    const basis = REFUND_LIMIT_BASES.find((each) => each === named);
    if (basis === undefined)
      throw invalidField('basis', 'basis', `must be one of ${REFUND_LIMIT_BASES.join(', ')}.`);
    const setBy = requireText('actor', actor, 200);
    return this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const before = await this.limits.putBasis(organizationId, basis, setBy, at);
      await this.auditLog.record({
        actor: setBy,
        action: 'refund_basis.set',
        organizationId,
        subjectId: organizationId,
        at,
        before: { basis: before },
        after: { basis },
      });
      return basis;
    });
  }
}
