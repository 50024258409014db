import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiFailures, ApiSuccessPage } from '#shared/platform/http/openapi/api-answers.js';
import { presentPage, toPageRequest, type PageBody } from '#shared/platform/http/answers/pagination.dto.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ListedTransactions } from '../persistence/listed-transactions.js';
import {
  presentTransaction,
  toTransactionFilter,
  TransactionDto,
  TransactionsQuery,
} from './transaction.dto.js';
import { EXAMPLES } from './transaction-example.js';

@ApiTags('Transactions')
@Controller('v1/transactions')
export class TransactionsController {
  constructor(
    private readonly transactions: ListedTransactions,
    private readonly accounts: AccountDirectory,
  ) {}

  /** Newest first; the numbers are exact. An account-level key sees its account's transactions only. */
  @Get()
  @ApiOperation({
    operationId: 'listTransactions',
    summary: 'List transactions',
    description:
      'Newest first, with exact totals; a page past the end is empty. An account-level key sees the transactions of ' +
      'its account and may not send `accountID`; an organization-level key sees all, or those of one account. Of each ' +
      'account and asset, `gross_amount` summed over `payment_in`, `deposit` and `adjustment` is what has come and stands. ' +
      'Filters narrow together. With `Accept: text/csv` the answer is that of `exportTransactions`: leave `page` and ' +
      '`page_size` out then.',
  })
  @ApiSuccessPage(TransactionDto, {
    description: 'The transactions of this page.',
    example: EXAMPLES,
  })
  @ApiFailures('account_not_allowed')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: TransactionsQuery,
  ): Promise<PageBody<TransactionDto>> {
    const request = toPageRequest(query);
    const filter = toTransactionFilter(query);
    const scope = await this.accounts.narrowIfNamed(principal.scope, query.accountID);
    const page = await this.transactions.page(scope, filter, request);
    return presentPage(page, request, presentTransaction);
  }
}
