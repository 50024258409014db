import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { Brandings } from '../../infrastructure/persistence/brandings.js';
import type { Organization } from '../../domain/accounts/account.js';
import { supportContactRequiredError } from '../../domain/branding/branding-texts.js';
import { AuditLog } from '../../contract/audit-log.js';

@Injectable()
export class ApproveOrganization {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly brandings: Brandings,
    private readonly auditLog: AuditLog,
  ) {}

  /** @throws validation_failed if payers of the organization would see no support contact */
  async approve(input: { organizationId: OrganizationId; actor: string }): Promise<Organization> {
    const { organizationId, actor } = input;
    return this.unitOfWork.run(async () => {
      const organization = await this.organizations.lockOrganizationRow(organizationId);
      if (organization.approvedAt !== null) return organization;
      const { support } = await this.brandings.readOwnBranding({ organizationId, accountId: null });
      if (support === null) throw supportContactRequiredError();
      const at = await this.clock.now();
      await this.organizations.approve(organizationId, at);
      await this.auditLog.record({
        actor,
        action: 'organization.approved',
        organizationId,
        subjectId: organizationId,
        before: { approved_at: null },
        after: { approved_at: at.toISOString() },
        at,
      });
      return { ...organization, approvedAt: at, updatedAt: at };
    });
  }
}
