import { formatAmount } from '#shared/kernel/amount.js';
import { currencyDigits } from '#shared/kernel/currency.js';
import {
  roundExactDecimal,
  addExactDecimals,
  exactValueAtPrice,
  type ExactDecimal,
} from '#shared/kernel/exact-decimal.js';
import type { CsvCell } from '#shared/platform/http/answers/csv.js';
import { lastDayOf, type Period } from '../../domain/periods/period.js';
import type { JournalLine } from '../persistence/journal-export.js';
import { STATEMENT_PART_NAMES, type StatementPartName } from '../persistence/journal-parts.sql.js';

/** Columns of Xero's template for manual journals. An asterisk marks mandatory columns. */
export const XERO_COLUMNS = ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'];

/** Account codes in Xero, at most ten characters (docs/reference/statements.md). */
const ACCOUNT_CODES: Record<
  StatementPartName | 'held',
  { readonly code: string; readonly description: string }
> = {
  held: { code: 'PC-HELD', description: 'Held by the payment service' },
  collected: { code: 'PC-SALES', description: 'Collected from payers' },
  fees: { code: 'PC-FEES', description: 'Service fees' },
  refunds: { code: 'PC-REFUND', description: 'Refunded to payers' },
  settled: { code: 'PC-WALLET', description: 'Settled to own addresses' },
  other: { code: 'PC-OTHER', description: 'Float, gas and rounding' },
};
const TAX_RATE = 'Tax Exempt';
const ZERO_VALUE: ExactDecimal = { digits: 0n, scale: 0 };

interface JournalSums {
  readonly account: string;
  readonly currency: string;
  readonly values: Record<StatementPartName, ExactDecimal>;
  missing: number;
}

/**
 * Each journal balances after rounding, because the held amount is the sum of the rounded amounts. Lines without a
 * rate are excluded; the narration states how many.
 */
export async function* xeroRecords(
  period: Period,
  batches: AsyncGenerator<readonly JournalLine[], void>,
): AsyncGenerator<readonly CsvCell[][], void> {
  const journals = new Map<string, JournalSums>();
  for await (const batch of batches) {
    for (const line of batch) addLine(journals, line);
    // An empty batch gives the sender of the file a chance to check whether the client is still connected.
    yield [];
  }
  for (const sums of journals.values()) yield recordsOfJournal(period, sums);
}

function addLine(journals: Map<string, JournalSums>, line: JournalLine): void {
  const changed = STATEMENT_PART_NAMES.filter((name) => line[name] !== 0n);
  if (changed.length === 0) return;
  const { accountId, accountExternalId, valuation, decimals } = line;
  const key = `${accountId} ${valuation.currency ?? ''}`;
  const values = Object.fromEntries(STATEMENT_PART_NAMES.map((name) => [name, ZERO_VALUE])) as Record<
    StatementPartName,
    ExactDecimal
  >;
  const account = accountExternalId ?? accountId;
  const sums = journals.get(key) ?? { account, currency: valuation.currency ?? '', values, missing: 0 };
  journals.set(key, sums);
  if (valuation.basis === 'missing' || decimals === null) sums.missing += 1;
  else
    for (const name of changed)
      sums.values[name] = addExactDecimals(
        sums.values[name],
        exactValueAtPrice(line[name], decimals, valuation.price),
      );
}

function recordsOfJournal(period: Period, { account, currency, values, missing }: JournalSums): CsvCell[][] {
  const digits = currencyDigits(currency) ?? 0;
  const parts = STATEMENT_PART_NAMES.map((name) => ({
    name,
    amount: roundExactDecimal(digits, values[name]),
  }));
  const held = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const lines = [
    { name: 'held' as const, amount: held },
    ...parts.map((part) => ({ ...part, amount: -part.amount })),
  ];
  const left = missing === 0 ? '' : `; ${missing} lines without a rate are not included`;
  const narration = `Payments ${period}, account ${account}${currency && `, ${currency}`}${left}`;
  const [year, month, day] = lastDayOf(period).split('-');
  const shown = lines.filter(({ amount }) => amount !== 0n);
  return (shown.length === 0 && missing > 0 ? lines.slice(0, 1) : shown).map(({ name, amount }) => [
    narration,
    `${day}/${month}/${year}`,
    ACCOUNT_CODES[name].description,
    ACCOUNT_CODES[name].code,
    TAX_RATE,
    { number: formatAmount(amount, digits) },
  ]);
}
