import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { accountInPath } from '#contexts/identity/contract/account-scope-rule.js';
import { SettlementQueries, type SettlementView } from './settlement-queries.js';

export interface ListSettlementsInput {
  readonly scope: Scope;
  /** As the caller spelled it; absent: all that the caller may see. */
  readonly account?: string;
  /** Of those alone that this transaction delivered; in any case. */
  readonly transactionHash?: string;
  readonly page: PageRequest;
}

/** What was delivered of an account's money, or of all accounts', newest first. */
@Injectable()
export class ListSettlements {
  constructor(
    private readonly settlements: SettlementQueries,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws account_not_allowed for any account but the caller's own, or its organization's, existing or not */
  async execute({
    scope,
    account,
    transactionHash,
    page,
  }: ListSettlementsInput): Promise<Page<SettlementView>> {
    return this.settlements.page(await this.narrow(scope, account), page, transactionHash?.toLowerCase());
  }

  private async narrow(scope: Scope, account: string | undefined): Promise<Scope> {
    if (account === undefined) return scope;
    return scope.accountId === null ? this.accounts.narrow(scope, account) : accountInPath(scope, account);
  }
}
