import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { PaymentLinkId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { toLinkAuditFields } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';

export interface SetPaymentLinkActiveInput extends Actor {
  readonly scope: TenantScope;
  readonly id: PaymentLinkId;
  readonly active: boolean;
}

/** Writes an audit log entry only if the link changes. */
@Injectable()
export class SetPaymentLinkActive {
  constructor(
    private readonly links: PaymentLinks,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  setActive({ scope, id, active, ...by }: SetPaymentLinkActiveInput): Promise<void> {
    return this.unitOfWork.run(async () => {
      const before = await this.links.lockLink(scope, id);
      if (before.active === active) return;
      const after = await this.links.setActive(scope, before.pointOfSaleId, id, active);
      await this.auditLog.record({
        ...by,
        action: active ? 'payment_link.activated' : 'payment_link.deactivated',
        organizationId: after.organizationId,
        subjectId: id,
        before: toLinkAuditFields(before),
        after: toLinkAuditFields(after),
        at: await this.clock.now(),
      });
    });
  }
}
