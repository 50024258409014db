import { Controller, Get, Query } from '@nestjs/common';
import { DailyAnalytics, type AnalyticsAsset } from '#contexts/analytics/contract/daily-analytics.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { Quotes, type Rate } from '#contexts/rates/contract/quotes.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { buildOverview, lastDays, OverviewQuery, selectedSpan } from './overview.js';
import { overviewPage } from './overview-page.js';
import { OverviewQueries } from './overview-queries.js';
import { buildTotal } from './overview-total.js';

/** Currency of the totals if no account has an accounting currency and no received asset is pegged to one. */
const DEFAULT_CURRENCY = 'USD';

@Controller('app')
export class OverviewController {
  constructor(
    private readonly analytics: DailyAnalytics,
    private readonly queries: OverviewQueries,
    private readonly catalogue: NetworkCatalogue,
    private readonly quotes: Quotes,
  ) {}

  /** Compared with the same number of days before. */
  @DashboardRoute('read')
  @Get()
  async show(@Query() query: OverviewQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const span = selectedSpan(query);
    const days = lastDays(visitor.at, 2 * span);
    const [counted, balances, attention] = await Promise.all([
      this.analytics.since(visitor.scope, days[0]!),
      this.queries.balancesAndLatestPaymentRequests(visitor.organizationId),
      this.queries.attention(visitor.organizationId, visitor.at),
    ]);
    const overview = buildOverview(counted.figures, days);
    const money = balances.assets.flatMap((each) => {
      const asset = each.asset ?? this.assetOf(each.uniqueAssetId);
      return asset === undefined ? [] : [{ ...each, asset }];
    });
    const unsettled = money
      .map(({ waiting, inFlight, asset }) => ({ ...asset, amount: waiting + inFlight }))
      .filter(({ amount }) => amount !== 0n);
    const symbols = [...overview.currencies, ...unsettled].map((of) => of.currency);
    const currency =
      balances.booksCurrency ?? symbols.map((symbol) => this.pegOf(symbol)).find(Boolean) ?? DEFAULT_CURRENCY;
    const rates = this.ratesOf(symbols, currency, visitor.at, balances.rates);
    const total = buildTotal(currency, rates, overview.currencies, unsettled);
    const networkName = (network: string) => this.catalogue.network(network)?.name ?? network;
    return showPage(
      overviewPage({
        ...{ visitor, span, query, counted, money, attention, networkName, overview, total },
        latest: balances.latest,
      }),
    );
  }

  private assetOf(uniqueAssetId: string): AnalyticsAsset | undefined {
    const asset = this.catalogue.asset(uniqueAssetId);
    return asset && { network: asset.network, currency: asset.symbol, decimals: asset.decimals };
  }

  /** Returns undefined if assets with the same symbol have different pegs. */
  private pegOf(symbol: string): string | undefined {
    const pegs = new Set(
      this.catalogue.assets().flatMap((asset) => (asset.symbol === symbol ? [asset.peg] : [])),
    );
    return pegs.size === 1 ? [...pegs][0] : undefined;
  }

  private ratesOf(
    symbols: readonly string[],
    currency: string,
    at: Date,
    recorded: ReadonlyMap<string, Rate>,
  ): ReadonlyMap<string, Rate> {
    const rates = [...new Set(symbols)].map((symbol) => {
      const peg = this.pegOf(symbol);
      const asset = { symbol, ...(peg !== undefined && { peg }) };
      const rate = this.quotes.cachedQuote(asset, currency, at, 'ask');
      return [symbol, rate === null ? { price: '1', sources: ['peg'], at } : (rate ?? recorded.get(symbol))];
    });
    return new Map(rates.filter((entry): entry is [string, Rate] => entry[1] !== undefined));
  }
}
