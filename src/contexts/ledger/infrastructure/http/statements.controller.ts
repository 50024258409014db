import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { pageOfItems } from '#shared/kernel/page.js';
import {
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { Statements } from '../persistence/statements.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import { presentStatement, STATEMENT_EXAMPLE, StatementDto, StatementsQuery } from './statement.dto.js';

@ApiTags('Transactions')
@Controller('v1/statements')
export class StatementsController {
  constructor(
    private readonly statements: Statements,
    private readonly accounts: AccountDirectory,
    private readonly downloads: ConcurrentDownloads,
  ) {}

  @Get()
  @DocumentedOperation('listStatements', 'List monthly statements', {
    description:
      'Returns one statement for each account and asset, ordered by account id and asset id. `closing` is the ' +
      'sum of the other amounts, and equals the `opening` of the next month. After an Owner has closed a month ' +
      'in the dashboard, the statements of that month no longer change.',
    page: [StatementDto, 'A page of statements.', [STATEMENT_EXAMPLE]],
    errors: ['account_not_allowed'],
  })
  async list(
    @CurrentPrincipal() { credentialId, scope }: Principal,
    @Query() query: StatementsQuery,
  ): Promise<PageBody<StatementDto>> {
    const request = toPageRequest(query);
    const narrowed = await this.accounts.narrowScopeIfGiven(scope, query.accountID);
    // Each page sums the month again, so it counts as a download.
    const found = await this.downloads.during(credentialId, () =>
      this.statements.list(narrowed, query.month),
    );
    const page = pageOfItems(found, request, ({ accountId, uniqueAssetId }) => [accountId, uniqueAssetId]);
    return presentListPage(page, request, (view) => presentStatement(query.month, view));
  }
}
