import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type OrganizationId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { MerchantAccounts } from '../../infrastructure/accounts/persistence/merchant-accounts.js';
import {
  type Account,
  type AccountInput,
  accountFields,
  auditableAccount,
} from '../../domain/accounts/account.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';

export interface NewMerchantAccount extends Actor, AccountInput {
  organizationId: OrganizationId;
}

@Injectable()
export class CreateMerchantAccount {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly accounts: MerchantAccounts,
    private readonly auditLog: AuditLog,
  ) {}

  async create({ actor, address, ...input }: NewMerchantAccount): Promise<Account> {
    const fields = accountFields(input);
    return this.unitOfWork.run(async () => {
      const { id: organizationId } = await this.organizations.lockOrganizationRow(input.organizationId);
      const at = await this.clock.now();
      const account: Account = {
        id: newId(),
        organizationId,
        ...fields,
        createdAt: at,
        updatedAt: at,
      };
      await this.accounts.add(account);
      await this.auditLog.record({
        actor,
        address,
        action: 'account.created',
        organizationId,
        subjectId: account.id,
        before: null,
        after: auditableAccount(account),
        at,
      });
      return account;
    });
  }
}
