import { formatAmount } from '#shared/kernel/amount.js';
import { formatExactDecimal, exactValueAtPrice } from '#shared/kernel/exact-decimal.js';
import type { CsvCell } from '#shared/platform/http/answers/csv.js';
import type { JournalLine } from '../persistence/journal-export.js';

/** The order never changes; new columns are appended. */
export const JOURNAL_CSV_COLUMNS = [
  ...['period', 'booked_for', 'occurred_at', 'booked_at', 'transaction_id', 'line', 'type', 'account_id'],
  ...[
    'account_external_id',
    'ledger_account',
    'unique_asset_id',
    'asset',
    'debit',
    'credit',
    'payment_request_id',
  ],
  ...[
    'reference_id',
    'transaction_hash',
    'value_currency',
    'value',
    'rate',
    'rate_basis',
    'rate_sources',
    'rate_at',
  ],
];

/** Amounts of an asset that is no longer in the catalogue are in smallest units. */
export function toJournalCsvRow(line: JournalLine): CsvCell[] {
  const { amount, decimals, valuation } = line;
  const whole = { number: formatAmount(amount < 0n ? -amount : amount, decimals ?? 0) };
  return [
    line.period,
    line.bookedFor ?? undefined,
    line.occurredAt.toISOString(),
    line.createdAt.toISOString(),
    line.transactionId,
    { number: `${line.line}` },
    line.type,
    line.accountId,
    line.accountExternalId ?? undefined,
    line.ledgerAccount,
    line.uniqueAssetId,
    decimals === null ? `smallest units of ${line.symbol}` : line.symbol,
    amount > 0n ? whole : undefined,
    amount < 0n ? whole : undefined,
    line.paymentRequestId ?? undefined,
    line.referenceId ?? undefined,
    line.transactionHash ?? undefined,
    valuation.currency,
    ...valuationCells(line),
    valuation.basis,
    ...(valuation.basis === 'missing'
      ? [undefined, undefined]
      : [valuation.sources.join(' '), valuation.at.toISOString()]),
  ];
}

function valuationCells({ amount, decimals, valuation }: JournalLine): CsvCell[] {
  if (valuation.basis === 'missing' || decimals === null) return [undefined, undefined];
  const { price } = valuation;
  return [{ number: formatExactDecimal(exactValueAtPrice(amount, decimals, price)) }, { number: price }];
}

export async function* journalRecords(
  batches: AsyncGenerator<readonly JournalLine[], void>,
): AsyncGenerator<readonly CsvCell[][], void> {
  for await (const batch of batches) yield batch.map(toJournalCsvRow);
}
