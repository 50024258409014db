import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { accountInPath } from '#contexts/identity/contract/account-scope-rule.js';
import { SettlementAddresses, type TermsInForce } from './settlement-addresses.js';

export interface SettlementAddressesWanted {
  scope: Scope;
  /** As the caller spelled it; it may be anything. */
  account: string;
  page: PageRequest;
}

/** What a deposit address of the account would commit to now. */
@Injectable()
export class ListSettlementAddresses {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly addresses: SettlementAddresses,
  ) {}

  /** @throws account_not_allowed, not_found */
  async execute({ scope, account, page }: SettlementAddressesWanted): Promise<Page<TermsInForce>> {
    const owner = accountInPath(scope, account);
    if (!(await this.accounts.belongsTo(owner.accountId, owner.organizationId))) throw notFound('account');
    return this.addresses.inForce(owner, page);
  }
}
