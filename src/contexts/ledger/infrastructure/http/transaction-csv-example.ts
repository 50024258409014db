import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { TRANSACTION_COLUMNS } from './transaction-csv.js';
import { EXAMPLE_PAGE } from './transaction-example.js';

const EXAMPLE = [
  TRANSACTION_COLUMNS,
  ...EXAMPLE_PAGE.data.map((record) => TRANSACTION_COLUMNS.map((column) => record[column])),
];

const FILE = namedSchema('TransactionsCsv', {
  type: 'string',
  description:
    'RFC 4180 with a header line; a text that a spreadsheet would take for a formula has an apostrophe before it.',
});

/** OpenAPI: the file's content. */
export const CSV_CONTENT = {
  'text/csv': { schema: FILE, example: EXAMPLE.map((cells) => cells.join(',')).join('\r\n') },
};

export const CSV_HEADERS = {
  'Content-Disposition': { description: '`attachment`, with a file name.', schema: { type: 'string' } },
};
