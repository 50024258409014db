import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { scopeOfPathAccount } from '../../contract/account-scope-rule.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { MerchantAccounts } from '../../infrastructure/accounts/persistence/merchant-accounts.js';
import {
  type Account,
  type AccountInput,
  accountFields,
  auditableAccount,
} from '../../domain/accounts/account.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';

export interface ChangeMerchantAccountInput extends Actor, AccountInput {
  scope: TenantScope;
  account: string;
}

/** Earlier ledger postings keep the old external id; existing payment requests keep the old tolerance. */
@Injectable()
export class ChangeMerchantAccount {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly accounts: MerchantAccounts,
    private readonly auditLog: AuditLog,
  ) {}

  async change({ scope, account, actor, address, ...input }: ChangeMerchantAccountInput): Promise<Account> {
    const owner = scopeOfPathAccount(scope, account);
    const fields = accountFields(input);
    return this.unitOfWork.run(async () => {
      await this.organizations.lockOrganizationRow(owner.organizationId);
      const before = await this.accounts.lockMerchantAccountRow(owner);
      const at = await this.clock.now();
      const after: Account = { ...before, ...fields, updatedAt: at };
      await this.accounts.save(after);
      await this.auditLog.record({
        actor,
        address,
        at,
        action: 'account.changed',
        organizationId: after.organizationId,
        subjectId: after.id,
        before: auditableAccount(before),
        after: auditableAccount(after),
      });
      return after;
    });
  }
}
