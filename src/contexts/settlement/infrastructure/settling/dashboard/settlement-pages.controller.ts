import { Controller, Get } from '@nestjs/common';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery, IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { findSingleMatch } from '#shared/platform/http/dashboard/form-body.js';
import {
  readFilteredPage,
  ListFilters,
  type ParsedFilters,
} from '#shared/platform/http/dashboard/list-filters.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { SettlementQueries } from '../persistence/settlement-queries.js';
import { settlementsPage } from './settlements-page.js';

const PAGE_SIZE = 20;

export class SettlementsPageQuery extends DashboardPageQuery {
  /** Browsers send unselected fields as empty strings. */
  @IsEnteredText() account?: string;
  @IsEnteredText() transaction?: string;
}

@Controller('app/settlements')
export class SettlementPagesController {
  constructor(
    private readonly settlements: SettlementQueries,
    private readonly directory: AccountDirectory,
    private readonly accounts: AccountNames,
    private readonly networks: NetworkCatalogue,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @ListFilters(SettlementsPageQuery) filters: ParsedFilters<SettlementsPageQuery>,
    @CurrentDashboardUser() visitor: DashboardUser,
  ) {
    const { page, account = '', transaction = '' } = filters.query;
    const request = { page, pageSize: PAGE_SIZE };
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed: account });
    const found = await readFilteredPage(filters, async () => {
      const named = findSingleMatch('account', account, accounts);
      const scope = await this.directory.narrowScopeIfGiven(visitor.scope, named);
      return this.settlements.page(scope, request, transaction || undefined);
    });
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    const explorerOf = (network: string) => this.networks.network(network)?.explorerUrl;
    const model = { visitor, query: { account, transaction }, accounts, networkName, explorerOf };
    return showPage(settlementsPage({ ...model, ...request, ...found }), found.refusal);
  }
}
