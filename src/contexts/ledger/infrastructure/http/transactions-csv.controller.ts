import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { sendCsv } from '#shared/platform/http/answers/send-csv.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { ApiFailures } from '#shared/platform/http/openapi/api-answers.js';
import { ExportTransactions } from '../../application/export-transactions.js';
import { OpenDownloads } from './open-downloads.js';
import { CSV_CONTENT, CSV_HEADERS } from './transaction-csv-example.js';
import { TRANSACTION_COLUMNS, transactionRecords } from './transaction-csv.js';
import { toTransactionFilter, TransactionFilterQuery } from './transaction.dto.js';

@ApiTags('Transactions')
@Controller('v1/transactions.csv')
export class TransactionsCsvController {
  constructor(
    private readonly exportTransactions: ExportTransactions,
    private readonly downloads: OpenDownloads,
  ) {}

  @Get()
  @RawAnswer()
  @ApiOperation({
    operationId: 'exportTransactions',
    summary: 'Download transactions as CSV',
    description:
      'All that match, newest first, as they are at the moment of the request; the fields of the list, in RFC 4180 with ' +
      'a header line. `GET /v1/transactions` with `Accept: text/csv` answers the same. A connection that ends before the ' +
      'body does means that the file is not whole: ask again.',
  })
  @ApiOkResponse({ description: 'The file.', content: CSV_CONTENT, headers: CSV_HEADERS })
  @ApiFailures('account_not_allowed')
  async export(
    @CurrentPrincipal() { credentialId, scope, at }: Principal,
    @Query() query: TransactionFilterQuery,
    @Res() response: Response,
  ): Promise<void> {
    const { accountID: account } = query;
    const batches = await this.exportTransactions.execute({ ...toTransactionFilter(query), scope, account });
    const file = {
      name: `transactions-${at.toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`,
      header: TRANSACTION_COLUMNS,
      batches: transactionRecords(batches),
    };
    await this.downloads.during(credentialId, () => sendCsv(response, file, this.downloads.times));
  }
}
