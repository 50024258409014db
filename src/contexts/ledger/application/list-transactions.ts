import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../shared/kernel/domain-error.js';
import { isUuid, type AccountId } from '../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import { TransactionQueries, type TransactionView } from './transaction-queries.js';

export interface ListTransactionsInput extends PageRequest {
  readonly scope: Scope;
  /** As the caller spelled it; organization scope only. */
  readonly account?: string;
}

/** The records of a scope for reconciliation, newest first. */
@Injectable()
export class ListTransactions {
  constructor(
    private readonly transactions: TransactionQueries,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws account_not_allowed for any account but the caller's organization's, existing or not */
  async execute({ scope, account, page, pageSize }: ListTransactionsInput): Promise<Page<TransactionView>> {
    const narrowed = account === undefined ? scope : await this.narrow(scope, account);
    return this.transactions.page(narrowed, { page, pageSize });
  }

  /** Text that is no id cannot be anybody's account, so it is refused like a foreign one. */
  private async narrow(scope: Scope, account: string): Promise<Scope> {
    const accountId = account.toLowerCase() as AccountId;
    const allowed =
      scope.accountId === null &&
      isUuid(accountId) &&
      (await this.accounts.belongsTo(accountId, scope.organizationId));
    if (!allowed) {
      throw new DomainError(
        'forbidden',
        'account_not_allowed',
        'accountID must name an account of your organization, and is for organization-level keys only.',
      );
    }
    return { organizationId: scope.organizationId, accountId };
  }
}
