import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Choices } from '#shared/kernel/page.js';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { findSingleMatch } from '#shared/platform/http/dashboard/form-body.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import {
  AccountDirectory,
  AccountNames,
  type NamedAccount,
} from '#contexts/identity/contract/account-directory.js';
import { periodOf, requirePeriodText } from '../../domain/periods/period.js';
import { JournalFiles, type JournalFormat } from '../http/journal-files.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { presentStatement, STATEMENT_CSV_COLUMNS, toStatementCsvRow } from '../http/statement.dto.js';
import { JournalExport } from '../persistence/journal-export.js';
import { Statements, type StatementView } from '../persistence/statements.js';
import { PAGE_SIZE, statementsPage, StatementsPageQuery } from './statements-page.js';

@Controller('app')
export class StatementPagesController {
  constructor(
    private readonly statements: Statements,
    private readonly journal: JournalExport,
    private readonly files: JournalFiles,
    private readonly downloads: ConcurrentDownloads,
    private readonly directory: AccountDirectory,
    private readonly accounts: AccountNames,
  ) {}

  @DashboardRoute('read')
  @Get('statements')
  async show(@Query() query: StatementsPageQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const { page, ...filters } = query;
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed: query.account });
    let statements: StatementView[] = [];
    const refusal = await catchFormRefusal(async () => {
      const { scope, month } = await this.readStatements(visitor, query, accounts);
      statements = await this.downloads.during(visitor.collaboratorId, () =>
        this.statements.list(scope, month),
      );
    });
    const items = statements.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
    const ids = items.map(({ accountId }) => accountId);
    const names = await this.accounts.namesOf(visitor.organizationId, ids);
    const shown = { ...filters, month: query.month || periodOf(visitor.at) };
    const list = { items, page, pageSize: PAGE_SIZE, total: statements.length };
    return showPage(statementsPage({ visitor, query: shown, accounts, names, refusal, ...list }), refusal);
  }

  @DashboardRoute('read')
  @Get('statements.csv')
  async exportStatements(
    @Query() query: StatementsPageQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    const { scope, month } = await this.readStatements(visitor, query);
    const { statements } = this;
    const file = {
      name: `statements-${month}.csv`,
      header: STATEMENT_CSV_COLUMNS,
      batches: (async function* () {
        const found = await statements.list(scope, month);
        yield found.map((view) => toStatementCsvRow(presentStatement(month, view)));
      })(),
    };
    await this.downloads.during(visitor.collaboratorId, () => sendCsv(response, file, this.downloads.times));
  }

  @DashboardRoute('read')
  @Get('journal.csv')
  exportJournalLines(
    @Query() query: StatementsPageQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    return this.sendJournal('lines', query, visitor, response);
  }

  @DashboardRoute('read')
  @Get('journal-xero.csv')
  exportXeroJournal(
    @Query() query: StatementsPageQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    return this.sendJournal('xero', query, visitor, response);
  }

  private async sendJournal(
    format: JournalFormat,
    query: StatementsPageQuery,
    visitor: DashboardUser,
    response: Response,
  ): Promise<void> {
    const { scope, month } = await this.readStatements(visitor, query);
    const lines = this.journal.read(scope, month);
    await this.files.send(response, visitor.collaboratorId, { month, format, lines });
  }

  private async readStatements(
    visitor: DashboardUser,
    { month, account }: StatementsPageQuery,
    accounts?: Choices<NamedAccount>,
  ) {
    const found = accounts ?? (await this.accounts.searchChoices(visitor.organizationId, { typed: account }));
    return {
      month: requirePeriodText('month', month || periodOf(visitor.at)),
      scope: await this.directory.narrowScopeIfGiven(
        visitor.scope,
        findSingleMatch('account', account, found),
      ),
    };
  }
}
