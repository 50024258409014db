import type { CsvCell } from '#shared/platform/http/answers/csv.js';
import type { TransactionView } from '../../application/transaction-view.js';
import { presentTransaction, type TransactionDto } from './transaction.dto.js';
import { namedSchema } from '#shared/platform/http/openapi/schema-names.js';
import { TRANSACTION_EXAMPLES } from './transaction-example.js';

const AMOUNT_FIELDS: readonly (keyof TransactionDto)[] = ['gross_amount', 'net_amount', 'expected_amount'];

/** The order never changes; new columns are appended. */
export const TRANSACTION_CSV_COLUMNS = [
  ...(['id', 'type', 'status', ...AMOUNT_FIELDS, 'currency', 'network', 'unique_asset_id'] as const),
  ...(['account_external_id', 'from', 'from_type', 'to', 'to_type', 'financial_provider'] as const),
  ...(['transaction_hash', 'payment_request_id', 'reference_id', 'created_at', 'updated_at'] as const),
  ...(['settlement_id', 'booked_for'] as const),
] as readonly (keyof TransactionDto)[];

export function toTransactionCsvRow(transaction: TransactionView): CsvCell[] {
  const record = presentTransaction(transaction);
  return TRANSACTION_CSV_COLUMNS.map((column) => {
    const value = record[column];
    return value !== undefined && AMOUNT_FIELDS.includes(column) ? { number: value } : value;
  });
}

export async function* transactionRecords(
  batches: AsyncGenerator<readonly TransactionView[], void>,
): AsyncGenerator<readonly CsvCell[][], void> {
  for await (const batch of batches) yield batch.map(toTransactionCsvRow);
}

const CSV_EXAMPLE = [
  TRANSACTION_CSV_COLUMNS,
  ...TRANSACTION_EXAMPLES.map((record) => TRANSACTION_CSV_COLUMNS.map((column) => record[column])),
];

const TRANSACTIONS_CSV_SCHEMA = namedSchema('TransactionsCsv', {
  type: 'string',
  description:
    'CSV as defined by RFC 4180, with a header line. A text that a spreadsheet would read as a formula is ' +
    'prefixed with an apostrophe.',
});

export const CSV_RESPONSE_CONTENT = {
  'text/csv': {
    schema: TRANSACTIONS_CSV_SCHEMA,
    example: CSV_EXAMPLE.map((cells) => cells.join(',')).join('\r\n'),
  },
};

export const CSV_RESPONSE_HEADERS = {
  'Content-Disposition': {
    description: '`attachment` with the name of the file.',
    schema: { type: 'string' },
  },
};
