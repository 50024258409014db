import type { VNode } from 'preact';
import { formatAmount } from '#shared/kernel/amount.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { Facts, hrefWith, ListTable } from '#shared/web/dashboard/list-parts.js';
import { shownAsset } from '#shared/web/formatting/shown-amounts.js';
import { conversionOf, shownSeconds, type AssetVolume, type Overview, PERIODS } from './overview.js';
import { BarChart } from './bar-chart.js';

interface OverviewProps {
  readonly visitor: PageVisitor;
  /** In days. */
  readonly period: number;
  readonly nameOf: (network: string) => string;
  readonly overview: Overview;
}

export function overviewPage({ visitor, period, nameOf, overview }: OverviewProps): VNode {
  return (
    <DashboardPage visitor={visitor} title="Overview" place="/app" actions={<Periods current={period} />}>
      <Totals overview={overview} />
      <section class="card">
        <h2>Volume by asset</h2>
        <ListTable
          caption="Volume by asset, of payments that are final"
          items={overview.assets}
          empty={<p>No payment became final in this time.</p>}
          columns={[
            { title: 'Asset', cell: ({ currency, network }) => `${currency} on ${nameOf(network)}` },
            { title: 'Payments', numeric: true, cell: ({ payments }) => payments.toLocaleString('en') },
            { title: 'Received', numeric: true, cell: volumeOf },
            { title: 'By day', cell: (asset) => <Days asset={asset} /> },
          ]}
        />
      </section>
      <section class="card">
        <h2>Payment requests by status</h2>
        <ListTable
          caption="Payment requests by status, the most first"
          items={overview.statuses}
          empty={
            <p>
              No payment request was created in this time. A request is created by the API, by a payment link
              or by a subscription.
            </p>
          }
          columns={[
            { title: 'Status', cell: ({ status }) => status },
            { title: 'Requests', numeric: true, cell: ({ count }) => count.toLocaleString('en') },
          ]}
        />
      </section>
      <ByDay overview={overview} />
    </DashboardPage>
  );
}

function Periods({ current }: { current: number }): VNode {
  return (
    <nav class="actions" aria-label="Period">
      {PERIODS.map((period) => (
        <a
          class="button"
          href={hrefWith('/app', { days: String(period) })}
          {...(period === current ? { 'aria-current': 'true' as const } : {})}
        >
          {period} days
        </a>
      ))}
    </nav>
  );
}

function Totals({ overview }: { overview: Overview }): VNode {
  const { created, paid, open, secondsToPay } = overview;
  return (
    <section class="card">
      <h2>In short</h2>
      <Facts
        facts={{
          'Payment requests created': created.toLocaleString('en'),
          'Paid in full, or more': paid.toLocaleString('en'),
          'Still open': open.toLocaleString('en'),
          'Conversion, of those that ended': conversionOf(overview) ?? '–',
          'Time to a final payment, median': secondsToPay ? shownSeconds(secondsToPay.median) : '–',
          'Nine of ten payments within': secondsToPay ? shownSeconds(secondsToPay.ninth) : '–',
        }}
      />
    </section>
  );
}

function volumeOf({ amount, decimals, currency }: AssetVolume): string {
  return shownAsset(formatAmount(amount, decimals), currency);
}

function Days({ asset }: { asset: AssetVolume }): VNode {
  return <BarChart small label={`${asset.currency} received by day, oldest first`} values={asset.byDay} />;
}

function ByDay({ overview: { days } }: { overview: Overview }): VNode {
  return (
    <section class="card">
      <h2>Payment requests by day</h2>
      <BarChart
        label="Payment requests created by day, oldest first; the lower part of each bar was paid"
        values={days.map(({ created }) => BigInt(created))}
        parts={days.map(({ paid }) => BigInt(paid))}
      />
      <p class="note">The full bar is what was created on a UTC day, its filled part what was paid of it.</p>
      <ListTable
        caption="Payment requests by UTC day of creation, newest first"
        items={days.filter(({ created }) => created > 0).toReversed()}
        empty={<p>Days on which something is created are listed here.</p>}
        columns={[
          { title: 'Day', cell: ({ day }) => day },
          { title: 'Created', numeric: true, cell: ({ created }) => created.toLocaleString('en') },
          { title: 'Paid', numeric: true, cell: ({ paid }) => paid.toLocaleString('en') },
        ]}
      />
    </section>
  );
}
