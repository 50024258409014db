import { Injectable } from '@nestjs/common';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import type { TransactionFilter } from './transaction-filter.js';
import type { TransactionView } from './transaction-queries.js';

export interface ExportTransactionsInput extends TransactionFilter {
  readonly scope: Scope;
  /** As the caller spelled it; organization scope only. */
  readonly account?: string;
}

export abstract class TransactionBatches {
  /**
   * A scope's transactions as they are when the first batch is asked for, newest first. Each batch is one statement, and no
   * connection is held between two, so a reader may take its time. Ends after the last; a failed statement is thrown.
   */
  abstract read(scope: Scope, filter: TransactionFilter): AsyncGenerator<readonly TransactionView[], void>;
}

/** All records of a scope that match, for spreadsheets and bookkeeping. */
@Injectable()
export class ExportTransactions {
  constructor(
    private readonly batches: TransactionBatches,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws account_not_allowed for any account but the caller's organization's, existing or not */
  async execute(input: ExportTransactionsInput): Promise<AsyncGenerator<readonly TransactionView[], void>> {
    const { scope, account, ...filter } = input;
    const narrowed = account === undefined ? scope : await this.accounts.narrow(scope, account);
    return this.batches.read(narrowed, filter);
  }
}
