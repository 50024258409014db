import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { OneOf } from '#shared/platform/http/validation/field-rules.js';
import { CurrentPrincipal, type Principal } from '#shared/platform/http/callers/principal.js';
import { RawAnswer } from '#shared/platform/http/callers/route-markers.js';
import { ApiFailures } from '#shared/platform/http/openapi/api-answers.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { AccountDirectory } from '#contexts/identity/contract/account-directory.js';
import { ExportedJournal } from '../persistence/exported-journal.js';
import { JOURNAL_COLUMNS } from './journal-csv.js';
import { JOURNAL_FORMATS, JournalFiles, type JournalFormat } from './journal-files.js';
import { MonthQuery } from './statement.dto.js';
import { CSV_HEADERS } from './transaction-csv.js';

export class JournalQuery extends MonthQuery {
  @OneOf(JOURNAL_FORMATS, {
    optional: true,
    description:
      '`lines` unless set: every line of the journal. `xero`: manual journals of the month’s sums.',
    example: 'lines',
  })
  format?: JournalFormat;
}

const FILE = namedSchema('JournalCsv', {
  type: 'string',
  description: 'RFC 4180 with a header line; docs/reference/statements.md has the columns of both formats.',
});

@ApiTags('Transactions')
@Controller('v1/journal.csv')
export class JournalCsvController {
  constructor(
    private readonly journal: ExportedJournal,
    private readonly files: JournalFiles,
    private readonly accounts: AccountDirectory,
  ) {}

  @Get()
  @RawAnswer()
  @ApiOperation({
    operationId: 'exportJournal',
    summary: 'Download the journal of a month as CSV',
    description:
      'The double entries that stand in the month, with their value at the time of the money; or what an accounting program ' +
      'imports of them. A connection that ends before the body does means that the file is not whole: ask again.',
  })
  @ApiOkResponse({
    description: 'The file.',
    content: { 'text/csv': { schema: FILE, example: `${JOURNAL_COLUMNS.join(',')}\r\n` } },
    headers: CSV_HEADERS,
  })
  @ApiFailures('account_not_allowed')
  async export(
    @CurrentPrincipal() { credentialId, scope }: Principal,
    @Query() { month, accountID, format = 'lines' }: JournalQuery,
    @Res() response: Response,
  ): Promise<void> {
    const lines = this.journal.read(await this.accounts.narrowIfNamed(scope, accountID), month);
    await this.files.send(response, credentialId, { month, format, lines });
  }
}
