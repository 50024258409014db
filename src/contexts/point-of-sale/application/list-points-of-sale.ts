import { Injectable } from '@nestjs/common';
import type { AccountId } from '../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import { accountNotAllowed } from './account-not-allowed.js';
import { PointsOfSaleRecords, type PointOfSaleView } from './points-of-sale-records.js';

export interface PointsOfSaleWanted {
  scope: Scope;
  /** Of one account alone; only who acts for the whole organization may ask so. */
  accountId?: AccountId;
  page: PageRequest;
}

@Injectable()
export class ListPointsOfSale {
  constructor(
    private readonly records: PointsOfSaleRecords,
    private readonly accounts: AccountDirectory,
  ) {}

  /** @throws account_not_allowed */
  async execute({ scope, accountId, page }: PointsOfSaleWanted): Promise<Page<PointOfSaleView>> {
    if (accountId === undefined) return this.records.list(scope, page);
    if (scope.accountId !== null) throw accountNotAllowed();
    if (!(await this.accounts.belongsTo(accountId, scope.organizationId))) throw accountNotAllowed();
    return this.records.list({ ...scope, accountId }, page);
  }
}
