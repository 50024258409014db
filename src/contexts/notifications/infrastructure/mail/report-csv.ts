import { formatAmount } from '#shared/kernel/amount.js';
import { laterDay } from '#shared/kernel/zoned-day.js';
import { csvRecord } from '#shared/platform/http/answers/csv.js';
import { nextPeriod } from '../../domain/report-period.js';
import type { DueReport, Figure } from '../persistence/postgres-reports.js';

export type MailedReport = DueReport & { readonly figures: readonly Figure[] };

const COLUMNS = [
  ...['account', 'from', 'to', 'time_zone', 'type', 'currency', 'network', 'unique_asset_id'],
  ...['transactions', 'gross_amount', 'fee_amount', 'net_amount'],
];

/** The figures of a report, a type and asset a line. They name no payer. */
export function reportCsv({ accountName, period, startsOn, timeZone, figures }: MailedReport): string {
  const to = laterDay(nextPeriod(period, startsOn), -1);
  const records = figures.map(
    ({ type, currency, network, uniqueAssetId, decimals, transactions, gross, net }) => [
      ...[accountName, startsOn, to, timeZone, type, currency, network ?? '', uniqueAssetId ?? ''],
      { number: String(transactions) },
      ...[gross, gross - net, net].map((amount) => ({ number: formatAmount(amount, decimals) })),
    ],
  );
  return [COLUMNS, ...records].map(csvRecord).join('');
}
