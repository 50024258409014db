import { Controller, Get, Query, Res, Injectable, type NestMiddleware } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response, NextFunction, Request } from 'express';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { TransactionExport } from '../persistence/transaction-export.js';
import { ConcurrentDownloads } from '#shared/platform/http/answers/concurrent-downloads.js';
import {
  CSV_RESPONSE_CONTENT,
  CSV_RESPONSE_HEADERS,
  TRANSACTION_CSV_COLUMNS,
  transactionRecords,
} from './transaction-csv.js';
import { toTransactionFilter, TransactionFilterQuery } from './transaction.dto.js';

export const TRANSACTIONS_PATH = '/v1/transactions';
export const TRANSACTIONS_CSV_PATH = '/v1/transactions.csv';

/** Rewrites the path, so that the rules of the CSV operation apply. */
@Injectable()
export class CsvNegotiation implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    response.vary('Accept');
    if (request.accepts(['application/json', 'text/csv']) === 'text/csv') {
      request.url = TRANSACTIONS_CSV_PATH + request.url.slice(request.path.length);
    }
    next();
  }
}

@ApiTags('Transactions')
@Controller('v1/transactions.csv')
export class TransactionsCsvController {
  constructor(
    private readonly transactions: TransactionExport,
    private readonly accounts: AccountDirectory,
    private readonly downloads: ConcurrentDownloads,
  ) {}

  @Get()
  @RawAnswer()
  @DocumentedOperation('exportTransactions', 'Download transactions as CSV', {
    description:
      'Returns all matching transactions, newest first, with the same fields as `GET /v1/transactions`. `GET ' +
      '/v1/transactions` with `Accept: text/csv` returns the same file.\n\n' +
      'The response is streamed. If the connection is closed before the end of the body, the file is ' +
      'incomplete: request it again. At most 20 concurrent downloads per credential; above that, the request ' +
      'returns 429 `rate_limited`.',
    errors: ['account_not_allowed'],
  })
  @ApiOkResponse({
    description: 'The CSV file.',
    content: CSV_RESPONSE_CONTENT,
    headers: CSV_RESPONSE_HEADERS,
  })
  async export(
    @CurrentPrincipal() { credentialId, scope, at }: Principal,
    @Query() query: TransactionFilterQuery,
    @Res() response: Response,
  ): Promise<void> {
    const filter = toTransactionFilter(query);
    const narrowed = await this.accounts.narrowScopeIfGiven(scope, query.accountID);
    const batches = this.transactions.read(narrowed, filter);
    const file = {
      name: `transactions-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`,
      header: TRANSACTION_CSV_COLUMNS,
      batches: transactionRecords(batches),
    };
    await this.downloads.during(credentialId, () => sendCsv(response, file, this.downloads.times));
  }
}
