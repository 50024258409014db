import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { PaymentLinkId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { toAuditedLink } from '../../domain/links/payment-link.js';
import { PaymentLinks } from '../../infrastructure/links/persistence/payment-links.js';

export interface SwitchPaymentLinkInput extends Actor {
  readonly scope: Scope;
  readonly id: PaymentLinkId;
  readonly active: boolean;
}

/** Writes an audit log entry only if the link changes. */
@Injectable()
export class SwitchPaymentLink {
  constructor(
    private readonly links: PaymentLinks,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  switch({ scope, id, active, ...by }: SwitchPaymentLinkInput): Promise<void> {
    return this.unitOfWork.run(async () => {
      const before = await this.links.lock(scope, id);
      if (before.active === active) return;
      const after = await this.links.setActive(scope, before.pointOfSaleId, id, active);
      await this.auditLog.record({
        ...by,
        action: active ? 'payment_link.activated' : 'payment_link.deactivated',
        organizationId: after.organizationId,
        subjectId: id,
        before: toAuditedLink(before),
        after: toAuditedLink(after),
        at: await this.clock.now(),
      });
    });
  }
}
