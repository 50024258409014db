import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { AccountId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { MerchantAccountDeletionBlockers } from '../../contract/merchant-account-deletion-blockers.js';
import { scopeOfPathAccount, type AccountScope } from '../../contract/account-scope-rule.js';
import { AuditLog, type Actor } from '../../contract/audit-log.js';
import { MerchantAccounts } from '../../infrastructure/accounts/persistence/merchant-accounts.js';
import { auditableAccount } from '../../domain/accounts/account.js';
import {
  deletionObstaclesOf,
  type DeletionObstacle,
  describeObstacle,
} from '../../domain/accounts/deletion-rule.js';
import { Organizations } from '../../infrastructure/accounts/persistence/organizations.js';
import { recordCredentialAuditEntry } from '../credentials/record-credential-audit-entry.js';
import { Credentials } from '../../infrastructure/credentials/persistence/credentials.js';

export interface DeleteMerchantAccountInput extends Actor {
  scope: TenantScope;
  account: string;
}

/**
 * Funds received later become deposits of the organization. Creating an object takes a shared lock on the account and
 * the deletion the exclusive lock, so one of them sees the other.
 */
@Injectable()
export class DeleteMerchantAccount {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly organizations: Organizations,
    private readonly accounts: MerchantAccounts,
    private readonly credentials: Credentials,
    private readonly business: MerchantAccountDeletionBlockers,
    private readonly auditLog: AuditLog,
  ) {}

  async delete({ scope, account, ...by }: DeleteMerchantAccountInput): Promise<AccountId> {
    const owner = scopeOfPathAccount(scope, account);
    await this.unitOfWork.run(async () => {
      // Two concurrent deletions must not remove the last two accounts.
      await this.organizations.lockOrganizationRow(owner.organizationId);
      const before = await this.accounts.lockAgainstNewObjects(owner);
      await this.refuseObstacles(owner);
      const at = await this.clock.now();
      await this.deleteCredentials(owner, { ...by, at });
      await this.accounts.delete(owner, at);
      await this.auditLog.record({
        ...by,
        at,
        action: 'account.deleted',
        organizationId: owner.organizationId,
        subjectId: owner.accountId,
        before: auditableAccount(before),
        after: null,
      });
    });
    return owner.accountId;
  }

  async listObstacles(owner: AccountScope): Promise<DeletionObstacle[]> {
    const [open, accounts] = await Promise.all([
      this.business.previewOpenItems(owner),
      this.countAccounts(owner),
    ]);
    return deletionObstaclesOf(open, accounts);
  }

  private async countAccounts({ organizationId }: AccountScope): Promise<number> {
    const all = { organizationId, accountId: null };
    const { total } = await this.accounts.list(all, { page: 1, pageSize: 1 });
    return total;
  }

  private async refuseObstacles(owner: AccountScope): Promise<void> {
    const open = await this.business.readOpenItems(owner);
    const obstacles = deletionObstaclesOf(open, await this.countAccounts(owner));
    if (obstacles.length === 0) return;
    throw stateConflict(`The account cannot be deleted yet: ${obstacles.map(describeObstacle).join('; ')}.`);
  }

  private async deleteCredentials(owner: AccountScope, by: Actor & { at: Date }): Promise<void> {
    for (const credential of await this.credentials.lockOfAccount(owner)) {
      await this.credentials.remove(owner.organizationId, credential.id);
      await recordCredentialAuditEntry(this.auditLog, 'credential.deleted', {
        ...by,
        before: credential,
        after: null,
      });
    }
  }
}
