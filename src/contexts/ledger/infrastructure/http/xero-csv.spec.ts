import { describe, expect, it } from '@jest/globals';
import { newId, type AccountId } from '#shared/kernel/ids.js';
import type { JournalLine } from '../persistence/journal-export.js';
import { STATEMENT_PART_NAMES } from '../persistence/journal-parts.sql.js';
import { JOURNAL_CSV_COLUMNS, toJournalCsvRow } from './journal-csv.js';
import { XERO_COLUMNS, xeroRecords } from './xero-csv.js';

const at = new Date('2030-01-15T12:00:00Z');
const NOTHING = Object.fromEntries(STATEMENT_PART_NAMES.map((name) => [name, 0n])) as Pick<
  JournalLine,
  'fees'
>;
/** Journal line for 5 smallest units of an asset without a rate. */
const line = (facts: Partial<JournalLine> = {}): JournalLine => ({
  ...(NOTHING as Record<(typeof STATEMENT_PART_NAMES)[number], bigint>),
  ...{ transactionId: newId(), line: 1, type: 'payment_in', accountId: 'main' as AccountId },
  ...{ accountExternalId: 'store', period: '2030-01', bookedFor: null, occurredAt: at, createdAt: at },
  ...{ ledgerAccount: 'custody', uniqueAssetId: 'x', amount: 5n, symbol: 'OLD', decimals: null },
  ...{ paymentRequestId: null, referenceId: null, transactionHash: null, collected: 5n },
  valuation: { basis: 'missing', currency: 'EUR' },
  ...facts,
});

describe('The CSV export of a month', () => {
  it('has one zero line for Xero, which counts the lines without a rate, if no rate is known', async () => {
    async function* batches() {
      yield [line(), line(), line({ collected: 0n })];
    }
    const records = [];
    for await (const batch of xeroRecords('2030-01', batches())) records.push(...batch);

    const [narration, date, , code, , amount] = records[0]!;
    expect(records).toHaveLength(1);
    expect(records[0]).toHaveLength(XERO_COLUMNS.length);
    expect([narration, date, code, amount]).toEqual([
      'Payments 2030-01, account store, EUR; 2 lines without a rate are not included',
      ...['31/01/2030', 'PC-HELD', { number: '0' }],
    ]);
  });

  it('shows the smallest units of an asset that is no longer in the catalogue', () => {
    const cells = toJournalCsvRow(line());
    const cell = (column: string) => cells[JOURNAL_CSV_COLUMNS.indexOf(column)];

    expect([cell('asset'), cell('debit'), cell('value')]).toEqual([
      ...['smallest units of OLD', { number: '5' }, undefined],
    ]);
  });

  it('yields an empty batch for Xero for each batch that is read, before the first record', async () => {
    async function* batches() {
      yield* [[], [], []];
    }
    const answers: unknown[] = [];

    for await (const records of xeroRecords('2030-01', batches())) answers.push(records);

    expect(answers).toEqual([[], [], []]);
  });
});
