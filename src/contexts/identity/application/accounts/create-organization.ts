import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { requireText } from '#shared/kernel/text.js';
import { MerchantAccounts } from '../../infrastructure/accounts/persistence/merchant-accounts.js';
import { MAX_NAME_LENGTH, type Account, type Organization } from '../../domain/accounts/account.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { AuditLog } from '../../contract/audit-log.js';

export interface NewOrganization {
  name: string;
  actor: string;
}

/** Also creates the organization's first account, because every point of sale and payment belongs to an account. */
@Injectable()
export class CreateOrganization {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly accounts: MerchantAccounts,
    private readonly auditLog: AuditLog,
  ) {}

  async create(input: NewOrganization): Promise<{ organization: Organization; account: Account }> {
    const name = requireText('name', input.name, MAX_NAME_LENGTH);
    return this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const times = { createdAt: at, updatedAt: at };
      const organization: Organization = { id: newId(), name, approvedAt: null, ...times };
      const account: Account = {
        id: newId(),
        organizationId: organization.id,
        externalId: null,
        name,
        underpaymentTolerance: null,
        ...times,
      };
      await this.organizations.add(organization);
      await this.accounts.add(account);
      await this.auditLog.record({
        actor: input.actor,
        action: 'organization.created',
        organizationId: organization.id,
        subjectId: organization.id,
        before: null,
        after: { name, account_id: account.id },
        at,
      });
      return { organization, account };
    });
  }
}
