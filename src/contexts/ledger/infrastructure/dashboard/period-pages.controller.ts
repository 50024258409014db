import { Controller, Get, Post, Query } from '@nestjs/common';
import { seeOther, showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { CompletedActionQuery, IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';
import { DashboardActionRoute, DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { auditActorOf, handleFormSubmission, FormBody } from '#shared/platform/http/dashboard/form-body.js';
import type { FormActionOutcome, SubmittedForm } from '#shared/web/dashboard/form-fields.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { AccountNames } from '#contexts/identity/contract/account-directory.js';
import { ClosePeriod } from '../../application/close-period.js';
import { PeriodQueries } from '../persistence/period-queries.js';
import { Statements } from '../persistence/statements.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { type Period, requirePeriodText } from '../../domain/periods/period.js';
import { closePeriodPage } from './close-period-page.js';
import { PERIOD_FIELDS, periodsPage } from './periods-page.js';
import { PAGE_SIZE } from './statements-page.js';

class ClosePeriodQuery {
  @IsEnteredText() period?: string;
}

type SentPeriodForm = SubmittedForm<typeof PERIOD_FIELDS>;

@Controller('app/periods')
export class PeriodPagesController {
  constructor(
    private readonly periods: PeriodQueries,
    private readonly closePeriod: ClosePeriod,
    private readonly statements: Statements,
    private readonly downloads: ConcurrentDownloads,
    private readonly accounts: AccountNames,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  @DashboardRoute('read')
  @Get()
  async list(@Query() { done }: CompletedActionQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.page(visitor, { done }));
  }

  @DashboardRoute('manage_books')
  @Get('close')
  async confirmClose(@Query() { period }: ClosePeriodQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    return showPage(await this.closePage(visitor, requirePeriodText('period', period ?? '')));
  }

  @DashboardActionRoute('close a month of the books', 'manage_books', 'fresh', 'makes its statements final')
  @Post('close')
  close(@FormBody(PERIOD_FIELDS) form: SentPeriodForm, @CurrentDashboardUser() visitor: DashboardUser) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, { sent }),
      async () => {
        await this.closePeriod.close(actOf(visitor, form));
        return seeOther('/app/periods?done=closed');
      },
    );
  }

  @DashboardActionRoute(
    'reopen a month of the books',
    'manage_books',
    'fresh',
    'can change statements already in use',
  )
  @Post('reopen')
  reopen(@FormBody(PERIOD_FIELDS) form: SentPeriodForm, @CurrentDashboardUser() visitor: DashboardUser) {
    return handleFormSubmission(
      form,
      (sent) => this.page(visitor, { sent }),
      async () => {
        await this.closePeriod.reopen(actOf(visitor, form));
        return seeOther('/app/periods?done=reopened');
      },
    );
  }

  private async page(visitor: DashboardUser, outcome: FormActionOutcome) {
    const { organizationId } = visitor;
    const books = await this.periods.books(organizationId);
    const closed = await this.periods.listClosed(organizationId);
    return periodsPage({ visitor, books, closed, ...outcome });
  }

  private async closePage(visitor: DashboardUser, period: Period) {
    const { organizationId, scope } = visitor;
    const inFlight = await this.periods.findFundsInFlight(organizationId);
    const statements = await this.downloads.during(visitor.collaboratorId, () =>
      this.statements.list(scope, period),
    );
    const ids = statements.slice(0, PAGE_SIZE).map(({ accountId }) => accountId);
    const names = await this.accounts.namesOf(organizationId, ids);
    const nameOf = (id: string) => {
      const asset = this.catalogue.asset(id);
      if (asset === undefined) return { symbol: id, decimals: 0 };
      return { ...asset, network: this.catalogue.network(asset.network)?.name ?? asset.network };
    };
    return closePeriodPage({ visitor, period, statements, names, inFlight, nameOf });
  }
}

function actOf(visitor: DashboardUser, { typed }: SentPeriodForm) {
  return { organizationId: visitor.organizationId, period: typed.period, ...auditActorOf(visitor) };
}
