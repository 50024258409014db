import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { accountInPath, type AccountScope } from '#contexts/identity/contract/account-scope-rule.js';
import type { SettlementTermsRecord } from '../domain/settlement-terms.js';

/** Terms in force for an account. */
export interface TermsInForce extends SettlementTermsRecord {
  /** The number of times that terms were set for that network and owner (the account, or else the whole organization). */
  readonly version: number;
}

export abstract class SettlementAddresses {
  /** One for each network that has any, by network: the account's own where it has any, else the organization's. */
  abstract inForce(account: AccountScope, page: PageRequest): Promise<Page<TermsInForce>>;
}

export interface ListSettlementAddressesInput {
  scope: Scope;
  /** The caller's own spelling; it may be anything. */
  account: string;
  page: PageRequest;
}

/** Lists the terms that a deposit address of the account would commit to now. */
@Injectable()
export class ListSettlementAddresses {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly addresses: SettlementAddresses,
  ) {}

  /** @throws account_not_allowed, not_found */
  async execute({ scope, account, page }: ListSettlementAddressesInput): Promise<Page<TermsInForce>> {
    const owner = accountInPath(scope, account);
    if (!(await this.accounts.belongsTo(owner.accountId, owner.organizationId))) throw notFound('account');
    return this.addresses.inForce(owner, page);
  }
}
