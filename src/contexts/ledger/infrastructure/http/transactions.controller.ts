import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import {
  presentListPage,
  toPageRequest,
  type PageBody,
} from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { TransactionQueries } from '../persistence/transaction-queries.js';
import {
  presentTransaction,
  toTransactionFilter,
  TransactionDto,
  TransactionsQuery,
} from './transaction.dto.js';
import { TRANSACTION_EXAMPLES } from './transaction-example.js';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class TransactionsController {
  constructor(
    private readonly transactions: TransactionQueries,
    private readonly accounts: AccountDirectory,
  ) {}

  @Get()
  @DocumentedOperation('listTransactions', 'List transactions', {
    description:
      'Lists the records of the ledger, newest first, with exact totals. An account-level key sees the ' +
      'transactions of its account and cannot send `accountID`. An organization-level key sees all ' +
      'transactions, or with `accountID` only those of one account. Filters are combined with AND. A page ' +
      'beyond the last one is empty.\n\n' +
      'To compute the funds received for an account and asset, add up `gross_amount` of `payment_in`, ' +
      '`deposit` and `adjustment`.\n\n' +
      'With `Accept: text/csv`, the response is the same as that of `GET /v1/transactions.csv`. In that case, ' +
      'omit `page` and `page_size`.',
    page: [TransactionDto, 'A page of transactions.', TRANSACTION_EXAMPLES],
    errors: ['account_not_allowed'],
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: TransactionsQuery,
  ): Promise<PageBody<TransactionDto>> {
    const request = toPageRequest(query);
    const filter = toTransactionFilter(query);
    const scope = await this.accounts.narrowScopeIfGiven(principal.scope, query.accountID);
    const page = await this.transactions.page(scope, filter, request);
    return presentListPage(page, request, presentTransaction);
  }
}
