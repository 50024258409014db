import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import { showPage } from '#shared/platform/http/dashboard/dashboard-answer.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentDashboardUser, type DashboardUser } from '#shared/platform/http/dashboard/dashboard-user.js';
import { findSingleMatch } from '#shared/platform/http/dashboard/form-body.js';
import { readFilteredPage } from '#shared/platform/http/dashboard/list-filters.js';
import { AccountDirectory, AccountNames } from '#contexts/identity/contract/account-directory.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { TransactionExport } from '../persistence/transaction-export.js';
import { TransactionQueries } from '../persistence/transaction-queries.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { TRANSACTION_CSV_COLUMNS, transactionRecords } from '../http/transaction-csv.js';
import { transactionsPage } from './transactions-page.js';
import { readTransactionFilter, TransactionsPageQuery, timeZoneOf } from './transactions-page.query.js';

/** Smaller than in other lists, because rows with addresses and hashes are twice as large. */
const PAGE_SIZE = 15;

@Controller('app')
export class TransactionPagesController {
  constructor(
    private readonly listed: TransactionQueries,
    private readonly exported: TransactionExport,
    private readonly directory: AccountDirectory,
    private readonly downloads: ConcurrentDownloads,
    private readonly accounts: AccountNames,
    private readonly networks: NetworkCatalogue,
  ) {}

  @DashboardRoute('read')
  @Get('transactions')
  async list(@Query() query: TransactionsPageQuery, @CurrentDashboardUser() visitor: DashboardUser) {
    const request = { page: query.page, pageSize: PAGE_SIZE };
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed: query.account });
    const found = await readFilteredPage({ query }, async () => {
      const filter = await readTransactionFilter(query, visitor.timeZone);
      const named = findSingleMatch('account', query.account, accounts);
      return this.listed.page(await this.directory.narrowScopeIfGiven(visitor.scope, named), filter, request);
    });
    const networkName = (network: string) => this.networks.network(network)?.name ?? network;
    const explorerOf = (network: string) => this.networks.network(network)?.explorerUrl;
    const zone = timeZoneOf(query, visitor.timeZone);
    const model = { visitor, now: visitor.at, query, zone, accounts, networkName, explorerOf };
    return showPage(transactionsPage({ ...model, ...request, ...found }), found.refusal);
  }

  @DashboardRoute('read')
  @Get('transactions.csv')
  async export(
    @Query() query: TransactionsPageQuery,
    @CurrentDashboardUser() visitor: DashboardUser,
    @Res() response: Response,
  ): Promise<void> {
    const filter = await readTransactionFilter(query, visitor.timeZone);
    const accounts = await this.accounts.searchChoices(visitor.organizationId, { typed: query.account });
    const named = findSingleMatch('account', query.account, accounts);
    const scope = await this.directory.narrowScopeIfGiven(visitor.scope, named);
    const batches = this.exported.read(scope, filter);
    const file = {
      name: fileName(query, visitor.at),
      header: TRANSACTION_CSV_COLUMNS,
      batches: transactionRecords(batches),
    };
    await this.downloads.during(visitor.collaboratorId, () => sendCsv(response, file, this.downloads.times));
  }
}

function fileName({ from, to }: TransactionsPageQuery, now: Date): string {
  const days = [from, to].filter(Boolean).join('-to-');
  return `transactions-${days || `${now.toISOString().slice(0, 19).replaceAll(':', '')}Z`}.csv`;
}
