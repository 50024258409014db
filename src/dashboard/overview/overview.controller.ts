import { Controller, Get, Query } from '@nestjs/common';
import { DailyAnalytics } from '#contexts/analytics/contract/daily-analytics.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { buildOverview, lastDays, OverviewQuery, selectedSpan } from './overview.js';
import { overviewPage } from './overview-page.js';
import { OverviewQueries } from './overview-queries.js';

@Controller('app')
export class OverviewController {
  constructor(
    private readonly analytics: DailyAnalytics,
    private readonly queries: OverviewQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** Compared with the same number of days before. */
  @DashboardRoute('read')
  @Get()
  async show(@Query() query: OverviewQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const span = selectedSpan(query);
    const days = lastDays(visitor.at, 2 * span);
    const [counted, money, attention] = await Promise.all([
      this.analytics.since(visitor.scope, days[0]!),
      this.queries.balances(visitor.organizationId),
      this.queries.attention(visitor.organizationId, visitor.at),
    ]);
    const model = { visitor, span, query, counted, money, attention };
    const names = {
      networkName: (network: string) => this.catalogue.network(network)?.name ?? network,
      assetOf: (uniqueAssetId: string) => {
        const asset = this.catalogue.asset(uniqueAssetId);
        return asset && { network: asset.network, currency: asset.symbol, decimals: asset.decimals };
      },
    };
    return showPage(overviewPage({ ...model, ...names, overview: buildOverview(counted.figures, days) }));
  }
}
