import { PostgresAuditLog } from '#contexts/identity/infrastructure/persistence/postgres-audit-log.js';
import { ConfiguredCatalogue } from '#contexts/networks/infrastructure/configuration/configured-catalogue.js';
import { NetworkReadiness } from '#contexts/networks/domain/network-readiness.js';
import { nativeAsset, sampleAsset, settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import type { CsvCell } from '#shared/platform/http/answers/csv.js';
import { ClosePeriod } from '../application/close-period.js';
import { SetBooksCurrency } from '../application/set-books-currency.js';
import type { Period } from '../domain/periods/period.js';
import { JournalExport, type JournalLine } from '../infrastructure/persistence/journal-export.js';
import { JOURNAL_CSV_COLUMNS, toJournalCsvRow } from '../infrastructure/http/journal-csv.js';
import { XERO_COLUMNS, xeroRecords } from '../infrastructure/http/xero-csv.js';
import { PeriodQueries } from '../infrastructure/persistence/period-queries.js';
import { Periods } from '../infrastructure/persistence/periods.js';
import { RecordedRates } from '../infrastructure/persistence/recorded-rates.js';
import { Statements } from '../infrastructure/persistence/statements.js';
import type { TestLedger } from './open-ledger.js';
import type { Owner } from './source-events.js';

/** A record of a CSV file by column. Numbers are as written; empty cells are absent. */
export type FileRecord = Readonly<Record<string, string | undefined>>;

export function openBooks(ledger: TestLedger, batch?: number) {
  const { database, clock } = ledger;
  const assets = [sampleAsset({ symbol: 'USDC' }), nativeAsset()];
  const catalogue = new ConfiguredCatalogue(
    settingsFor('http://127.0.0.1:1', { assets }),
    new NetworkReadiness(),
  );
  const size = batch === undefined ? {} : { batch };
  const journal = Object.assign(new JournalExport(database, catalogue), size);
  const statements = Object.assign(new Statements(database, catalogue), size);
  const rates = new RecordedRates(database);
  const auditLog = new PostgresAuditLog(database);
  const readLines = ({ organizationId }: Owner, period: Period) =>
    journal.read({ organizationId, accountId: null }, period);
  const recordsOf = async (lines: AsyncGenerator<readonly JournalLine[], void>) => {
    const records: FileRecord[] = [];
    for await (const batch of lines)
      records.push(...batch.map((line) => byColumn(JOURNAL_CSV_COLUMNS, toJournalCsvRow(line))));
    return records;
  };
  return {
    rates,
    setCurrency: (account: Owner, currency: string) =>
      new SetBooksCurrency(database, clock, rates, auditLog).set({
        account,
        currency,
        actor: 'owner@shop.example',
      }),
    list: new PeriodQueries(database),
    closePeriod: new ClosePeriod(database, clock, new Periods(database, statements), auditLog),
    act: ({ organizationId }: Owner, period: Period) => ({
      organizationId,
      period,
      actor: 'owner@shop.example',
    }),
    statements: ({ organizationId }: Owner, period: Period) =>
      statements.list({ organizationId, accountId: null }, period),
    statementsOfAccount: ({ organizationId, accountId }: Owner, period: Period) =>
      statements.list({ organizationId, accountId }, period),
    async lines(owner: Owner, period: Period): Promise<JournalLine[]> {
      const lines: JournalLine[] = [];
      for await (const batch of readLines(owner, period)) lines.push(...batch);
      return lines;
    },
    journalFile: (owner: Owner, period: Period) => recordsOf(readLines(owner, period)),
    journalFileOfAccount: ({ organizationId, accountId }: Owner, period: Period) =>
      recordsOf(journal.read({ organizationId, accountId }, period)),
    async xeroFile(owner: Owner, period: Period): Promise<FileRecord[]> {
      const records: FileRecord[] = [];
      for await (const batch of xeroRecords(period, readLines(owner, period)))
        records.push(...batch.map((cells) => byColumn(XERO_COLUMNS, cells)));
      return records;
    },
  };
}

function byColumn(columns: readonly string[], cells: readonly CsvCell[]): FileRecord {
  return Object.fromEntries(
    cells.map((cell, place) => [columns[place], typeof cell === 'object' ? cell.number : cell]),
  );
}
