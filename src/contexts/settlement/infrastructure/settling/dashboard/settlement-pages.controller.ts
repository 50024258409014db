import { Controller, Get, Query } from '@nestjs/common';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery, TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { SettlementQueries } from '../persistence/settlement-queries.js';
import { settlementsPage } from './settlements-page.js';

const PAGE_SIZE = 25;
/** A longer list to choose from would be no help. */
const MAX_ACCOUNTS = 200;

export class SettlementsPageQuery extends DashboardPageQuery {
  /** Empty for all, as browsers send what is not chosen. */
  @TypedText() account?: string;
  /** A hash; empty for all. */
  @TypedText() transaction?: string;
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
    @Query() { page, account = '', transaction = '' }: SettlementsPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
  ) {
    const request = { page, pageSize: PAGE_SIZE };
    const scope = await this.directory.narrowIfNamed(visitor.scope, account || undefined);
    const found = await this.settlements.page(scope, request, transaction || undefined);
    const accounts = await this.accounts.list(visitor.organizationId, MAX_ACCOUNTS);
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    const explorerOf = (network: string) => this.networks.network(network)?.explorerUrl;
    const model = { visitor, query: { account, transaction }, accounts, networkName, explorerOf };
    return showPage(settlementsPage({ ...model, ...request, ...found }));
  }
}
