import { Controller, Get, Query } from '@nestjs/common';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardPageQuery, TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { ListSettlements } from '#contexts/settlement/application/settling/list-settlements.js';
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
    private readonly listSettlements: ListSettlements,
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
    const found = await this.listSettlements.execute({
      scope: visitor.scope,
      page: request,
      ...(account !== '' && { account }),
      ...(transaction !== '' && { transactionHash: transaction }),
    });
    const accounts = await this.accounts.list(visitor.organizationId, MAX_ACCOUNTS);
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    const explorerOf = (network: string) => this.networks.network(network)?.explorerUrl;
    const model = { visitor, query: { account, transaction }, accounts, networkName, explorerOf };
    return showPage(settlementsPage({ ...model, ...request, ...found }));
  }
}
