import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import { newId, type OrganizationId } from '../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { type Account, Accounts } from '../domain/account.js';
import { requiredText } from '../../../shared/kernel/text.js';
import { AuditLog } from '../contract/audit-log.js';
import { Organizations } from '../domain/organization.js';

export interface NewAccount {
  organizationId: OrganizationId;
  name: string;
  externalId?: string;
  actor: string;
}

@Injectable()
export class CreateAccount {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly accounts: Accounts,
    private readonly auditLog: AuditLog,
  ) {}

  async execute(input: NewAccount): Promise<Account> {
    const name = requiredText('name', input.name, 200);
    const externalId =
      input.externalId === undefined ? null : requiredText('external_id', input.externalId, 128);
    return this.unitOfWork.run(async () => {
      const { id: organizationId } = await this.organizations.lock(input.organizationId);
      const at = await this.clock.now();
      const account: Account = {
        id: newId(),
        organizationId,
        externalId,
        name,
        createdAt: at,
        updatedAt: at,
      };
      await this.accounts.add(account);
      await this.auditLog.record({
        actor: input.actor,
        action: 'account.created',
        organizationId,
        subjectId: account.id,
        before: null,
        after: { name, external_id: externalId },
        at,
      });
      return account;
    });
  }
}
