import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { TransactionFilter } from './transaction-filter.js';
import { TransactionQueries, type TransactionView } from './transaction-queries.js';

export interface ListTransactionsInput extends PageRequest, TransactionFilter {
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
  async execute(input: ListTransactionsInput): Promise<Page<TransactionView>> {
    const { scope, account, page, pageSize, ...filter } = input;
    const narrowed = account === undefined ? scope : await this.accounts.narrow(scope, account);
    return this.transactions.page(narrowed, filter, { page, pageSize });
  }
}
