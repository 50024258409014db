import { Controller, Get, Query } from '@nestjs/common';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentFiguresQueries } from '#contexts/payments/contract/payment-figures.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { overviewOf, daysUpTo, OverviewQuery, periodOf } from './overview.js';
import { overviewPage } from './overview-page.js';

@Controller('app')
export class OverviewController {
  constructor(
    private readonly figures: PaymentFiguresQueries,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** Shows payments of whole UTC days, of which today is the last. */
  @DashboardRoute('read')
  @Get()
  async show(@Query() query: OverviewQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const period = periodOf(query);
    const days = daysUpTo(visitor.at, period);
    const figures = await this.figures.since(visitor.scope, new Date(`${days[0]}T00:00:00Z`));
    const nameOf = (network: string) => this.catalogue.network(network)?.name ?? network;
    return showPage(overviewPage({ visitor, period, nameOf, overview: overviewOf(figures, days) }));
  }
}
