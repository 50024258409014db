import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { IsOneOf } from '#shared/platform/http/validation/field-rules.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { DocumentedOperation } from '#shared/platform/http/openapi/operation.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { JournalExport } from '../persistence/journal-export.js';
import { JOURNAL_CSV_COLUMNS } from './journal-csv.js';
import { JOURNAL_FORMATS, JournalFiles, type JournalFormat } from './journal-files.js';
import { MonthQuery } from './statement.dto.js';
import { CSV_RESPONSE_HEADERS } from './transaction-csv.js';

export class JournalQuery extends MonthQuery {
  @IsOneOf(
    JOURNAL_FORMATS,
    'Format of the file. `lines`: all lines of the journal. `xero`: manual journals with the totals of the ' +
      'month, for import into Xero. Default: `lines`.',
    { optional: true, example: 'lines' },
  )
  format?: JournalFormat;
}

const JOURNAL_CSV_SCHEMA = namedSchema('JournalCsv', {
  type: 'string',
  description:
    'CSV as defined by RFC 4180, with a header line. The guide docs/reference/statements.md lists the columns of ' +
    'both formats.',
});

@ApiTags('Transactions')
@Controller('v1/journal.csv')
export class JournalCsvController {
  constructor(
    private readonly journal: JournalExport,
    private readonly files: JournalFiles,
    private readonly accounts: AccountDirectory,
  ) {}

  @Get()
  @RawAnswer()
  @DocumentedOperation('exportJournal', 'Download the monthly journal as CSV', {
    description:
      'Returns the double-entry journal of a month, with the value of each line at the time of the movement. ' +
      'With the format `xero`, returns the totals of the month instead, for import into accounting software.\n\n' +
      'The response is streamed. If the connection is closed before the end of the body, the file is ' +
      'incomplete: request it again.',
    errors: ['account_not_allowed'],
  })
  @ApiOkResponse({
    description: 'The CSV file.',
    content: { 'text/csv': { schema: JOURNAL_CSV_SCHEMA, example: `${JOURNAL_CSV_COLUMNS.join(',')}\r\n` } },
    headers: CSV_RESPONSE_HEADERS,
  })
  async export(
    @CurrentPrincipal() { credentialId, scope }: Principal,
    @Query() { month, accountID, format = 'lines' }: JournalQuery,
    @Res() response: Response,
  ): Promise<void> {
    const lines = this.journal.read(await this.accounts.narrowScopeIfGiven(scope, accountID), month);
    await this.files.send(response, credentialId, { month, format, lines });
  }
}
