import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '#shared/kernel/page.js';
import type { Scope } from '#shared/kernel/scope.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { PointsOfSaleRecords, type PointOfSaleView } from './points-of-sale-records.js';

export interface ListPointsOfSaleInput {
  scope: Scope;
  /** One account alone, in the caller's own spelling; only a caller with the whole organization's scope may name one. */
  account?: string;
  page: PageRequest;
}

@Injectable()
export class ListPointsOfSale {
  constructor(
    private readonly records: PointsOfSaleRecords,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws account_not_allowed for any account but the caller's organization's, existing or not */
  async execute({ scope, account, page }: ListPointsOfSaleInput): Promise<Page<PointOfSaleView>> {
    const narrowed = await this.accounts.narrowIfNamed(scope, account);
    return this.records.list(narrowed, page);
  }
}
