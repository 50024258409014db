import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PaymentFiguresQueries } from '#contexts/payments/contract/payment-figures.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
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
  async show(
    @Query() query: OverviewQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const period = periodOf(query);
    const days = daysUpTo(visitor.at, period);
    const figures = await this.figures.since(visitor.scope, new Date(`${days[0]}T00:00:00Z`));
    const nameOf = (network: string) => this.catalogue.network(network)?.name ?? network;
    sendDashboardPage(
      response,
      overviewPage({ visitor, period, nameOf, overview: overviewOf(figures, days) }),
    );
  }
}
