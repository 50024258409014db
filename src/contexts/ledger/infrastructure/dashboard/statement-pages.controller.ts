import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Choices } from '#shared/kernel/page.js';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { findSingleMatch } from '#shared/platform/http/dashboard/form-body.js';
import { catchFormRefusal } from '#shared/platform/http/dashboard/form-refusal.js';
import {
  AccountDirectory,
  AccountNames,
  type NamedAccount,
} from '#contexts/identity/contract/account-directory.js';
import { periodOf, readPeriod } from '../../domain/periods/period.js';
import { JournalFiles, type JournalFormat } from '../http/journal-files.js';
import { OpenDownloads } from '#shared/platform/http/answers/open-downloads.js';
import { presentStatement, STATEMENT_COLUMNS, statementRecord } from '../http/statement.dto.js';
import { ExportedJournal } from '../persistence/exported-journal.js';
import { Statements, type StatementView } from '../persistence/statements.js';
import { PAGE_SIZE, statementsPage, StatementsPageQuery } from './statements-page.js';

@Controller('app')
export class StatementPagesController {
  constructor(
    private readonly statements: Statements,
    private readonly journal: ExportedJournal,
    private readonly files: JournalFiles,
    private readonly downloads: OpenDownloads,
    private readonly directory: AccountDirectory,
    private readonly accounts: AccountNames,
  ) {}

  @DashboardRoute('read')
  @Get('statements')
  async show(@Query() query: StatementsPageQuery, @CurrentVisitor() visitor: DashboardVisitor) {
    const { page, ...filters } = query;
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed: query.account });
    let statements: StatementView[] = [];
    const refusal = await catchFormRefusal(async () => {
      const { scope, month } = await this.readStatements(visitor, query, accounts);
      statements = await this.downloads.during(visitor.collaboratorId, () =>
        this.statements.of(scope, month),
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
  async statementsFile(
    @Query() query: StatementsPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const { scope, month } = await this.readStatements(visitor, query);
    const { statements } = this;
    const file = {
      name: `statements-${month}.csv`,
      header: STATEMENT_COLUMNS,
      batches: (async function* () {
        const found = await statements.of(scope, month);
        yield found.map((view) => statementRecord(presentStatement(month, view)));
      })(),
    };
    await this.downloads.during(visitor.collaboratorId, () => sendCsv(response, file, this.downloads.times));
  }

  @DashboardRoute('read')
  @Get('journal.csv')
  lines(
    @Query() query: StatementsPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    return this.sendJournal('lines', query, visitor, response);
  }

  @DashboardRoute('read')
  @Get('journal-xero.csv')
  xero(
    @Query() query: StatementsPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    return this.sendJournal('xero', query, visitor, response);
  }

  private async sendJournal(
    format: JournalFormat,
    query: StatementsPageQuery,
    visitor: DashboardVisitor,
    response: Response,
  ): Promise<void> {
    const { scope, month } = await this.readStatements(visitor, query);
    const lines = this.journal.read(scope, month);
    await this.files.send(response, visitor.collaboratorId, { month, format, lines });
  }

  private async readStatements(
    visitor: DashboardVisitor,
    { month, account }: StatementsPageQuery,
    accounts?: Choices<NamedAccount>,
  ) {
    const found = accounts ?? (await this.accounts.searchChoices(visitor.organizationId, { typed: account }));
    return {
      month: readPeriod('month', month || periodOf(visitor.at)),
      scope: await this.directory.narrowIfNamed(visitor.scope, findSingleMatch('account', account, found)),
    };
  }
}
