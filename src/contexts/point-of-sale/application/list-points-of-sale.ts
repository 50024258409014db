import { Injectable } from '@nestjs/common';
import { isUuid, type AccountId } from '../../../shared/kernel/ids.js';
import type { Page, PageRequest } from '../../../shared/kernel/page.js';
import type { Scope } from '../../../shared/kernel/scope.js';
import { AccountDirectory } from '../../identity/contract/account-directory.js';
import { accountNotAllowed } from './account-not-allowed.js';
import { PointsOfSaleRecords, type PointOfSaleView } from './points-of-sale-records.js';

export interface PointsOfSaleWanted {
  scope: Scope;
  /** Of one account alone, as the caller spelled it; only who acts for the whole organization may ask so. */
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
  async execute({ scope, account, page }: PointsOfSaleWanted): Promise<Page<PointOfSaleView>> {
    return this.records.list(account === undefined ? scope : await this.narrowed(scope, account), page);
  }

  /** Text that is no id cannot be anybody's account, so it is refused like a foreign one. */
  private async narrowed({ organizationId, accountId }: Scope, account: string): Promise<Scope> {
    const wanted = account.toLowerCase() as AccountId;
    const allowed =
      accountId === null && isUuid(wanted) && (await this.accounts.belongsTo(wanted, organizationId));
    if (!allowed) throw accountNotAllowed();
    return { organizationId, accountId: wanted };
  }
}
