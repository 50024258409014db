import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { collapseToOneLine } from '#shared/kernel/text.js';
import { addDays } from '#shared/kernel/zoned-day.js';
import { htmlDocument } from '#shared/web/document/document-shell.js';
import { stripDirectionControls } from '#shared/web/formatting/plain-text.js';
import {
  MAIL_MUTED_COLOUR,
  MailButton,
  MailDocument,
  MailLink,
  MailTable,
} from '#shared/web/mail/mail-document.js';
import type { Mail } from '#contexts/identity/contract/outgoing-mails.js';
import { csvRecord } from '#shared/platform/http/answers/csv.js';
import type { NotificationLinks } from '../../application/notification-links.js';
import { startOfNextPeriod } from '../../domain/report-period.js';
import type { Addressee } from '../persistence/pending-notifications.js';
import type { ReportTotal, DueReport } from '../persistence/notification-reports.js';
import { MailFooter, textFooter } from './mail-footer.js';

const TRANSACTION_TYPE_NAMES: Readonly<Record<string, string>> = {
  payment_in: 'Payments',
  deposit: 'Unexpected payments',
  adjustment: 'Adjustments',
  refund: 'Refunds',
  withdraw: 'Withdrawals',
};
const NO_TRANSACTIONS_NOTE = 'No transactions in this period.';
const CSV_NOTE = 'The attached file contains this report. Sign in to see all transactions.';

export function buildReportMail(
  report: MailedReport,
  { email, token }: Addressee,
  links: NotificationLinks,
): Mail {
  const { accountName, organizationName, accountId, period, startsOn, timeZone, figures } =
    stripDirectionControls(report);
  const days = `${startsOn} to ${addDays(startOfNextPeriod(period, startsOn), -1)}`;
  const title = `${period === 'week' ? 'Week' : 'Month'}: ${days}`;
  const unsubscribeUrl = links.mailConsentUrl(token);
  const csv = links.transactions('csv', accountId, period, startsOn, timeZone);
  const list = links.transactions('list', accountId, period, startsOn, timeZone);
  const assets = groupRowsByAsset(figures);
  const body = [
    `${collapseToOneLine(organizationName)}: ${collapseToOneLine(accountName)}`,
    `${title} (${timeZone})`,
    ...(assets.length === 0 ? [NO_TRANSACTIONS_NOTE] : []),
    ...assets.map(({ name, rows }) =>
      [
        name,
        ...rows.map(({ type, gross, fees, net }) => `${type}: gross ${gross}, fees ${fees}, net ${net}`),
      ].join('\n'),
    ),
    `${CSV_NOTE}\nIn the dashboard: ${list}\nAs CSV: ${csv}`,
    textFooter(unsubscribeUrl),
  ].join('\n\n');
  const html = htmlDocument(
    <MailDocument
      title={title}
      name={`${organizationName} · ${accountName}`}
      footer={<MailFooter url={unsubscribeUrl} />}
    >
      <p style={{ margin: '0 0 16px', color: MAIL_MUTED_COLOUR }}>{`Days in ${timeZone}.`}</p>
      {assets.length === 0 && <p>{NO_TRANSACTIONS_NOTE}</p>}
      {assets.map((asset) => (
        <AssetSection {...asset} />
      ))}
      <MailButton href={csv}>Download all transactions</MailButton>
      <p style={{ margin: '8px 0 0', color: MAIL_MUTED_COLOUR, fontSize: '14px' }}>
        {CSV_NOTE} <MailLink href={list}>View transactions</MailLink>
      </p>
    </MailDocument>,
  );
  const subject = `${period === 'week' ? 'Weekly' : 'Monthly'} report, ${days} · ${accountName}`;
  const attachment = {
    filename: `report-${period}-${startsOn}.csv`,
    content: buildReportCsv(stripDirectionControls(report)),
  };
  return { recipient: email, subject, body, html, unsubscribeUrl, attachment };
}

interface ReportRow {
  readonly type: string;
  readonly gross: string;
  readonly fees: string;
  readonly net: string;
}

interface AssetRows {
  readonly name: string;
  readonly rows: readonly ReportRow[];
}

function AssetSection({ name, rows }: AssetRows): VNode {
  const label = { color: MAIL_MUTED_COLOUR };
  return (
    <MailTable
      columns={[name, '#Amounts']}
      rows={rows.map(({ type, gross, fees, net }) => [
        type,
        <>
          <span style={label}>gross</span> {gross}
          <br />
          <span style={label}>fees</span> {fees}
          <br />
          <span style={label}>net</span> <strong>{net}</strong>
        </>,
      ])}
    />
  );
}

function groupRowsByAsset(figures: readonly ReportTotal[]): AssetRows[] {
  const keyOf = ({ uniqueAssetId, currency }: ReportTotal) => uniqueAssetId ?? currency;
  return [...new Map(figures.map((figure) => [keyOf(figure), figure]))].map(
    ([key, { currency, network }]) => ({
      name: network === null ? currency : `${currency} on ${network}`,
      rows: Object.keys(TRANSACTION_TYPE_NAMES).flatMap((type) =>
        figures.filter((figure) => keyOf(figure) === key && figure.type === type).map(toReportRow),
      ),
    }),
  );
}

function toReportRow({ type, transactions, gross, net, decimals }: ReportTotal): ReportRow {
  return {
    type: `${TRANSACTION_TYPE_NAMES[type]} (${transactions.toLocaleString('en')})`,
    gross: formatAmount(gross, decimals),
    fees: formatAmount(gross - net, decimals),
    net: formatAmount(net, decimals),
  };
}

type MailedReport = DueReport & { readonly figures: readonly ReportTotal[] };

const CSV_COLUMNS = [
  ...['account', 'from', 'to', 'time_zone', 'type', 'currency', 'network', 'unique_asset_id'],
  ...['transactions', 'gross_amount', 'fee_amount', 'net_amount'],
];

function buildReportCsv({ accountName, period, startsOn, timeZone, figures }: MailedReport): string {
  const to = addDays(startOfNextPeriod(period, startsOn), -1);
  const records = figures.map(
    ({ type, currency, network, uniqueAssetId, decimals, transactions, gross, net }) => [
      ...[accountName, startsOn, to, timeZone, type, currency, network ?? '', uniqueAssetId ?? ''],
      { number: String(transactions) },
      ...[gross, gross - net, net].map((amount) => ({ number: formatAmount(amount, decimals) })),
    ],
  );
  return [CSV_COLUMNS, ...records].map(csvRecord).join('');
}
