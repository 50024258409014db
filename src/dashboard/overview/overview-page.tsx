import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { DailyAnalyticsView } from '#contexts/analytics/contract/daily-analytics.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { hasPermission } from '#shared/kernel/dashboard-access.js';
import { DayChart } from '#shared/web/charts/day-chart.js';
import { shortNumber } from '#shared/web/charts/scale.js';
import { DashboardPage, type PageUser } from '#shared/web/dashboard/dashboard-page.js';
import { EmptyState, hrefWith, ListTable } from '#shared/web/dashboard/list-page.js';
import { LANGUAGE_CONTEXT, t, useTranslator } from '#shared/web/dashboard/words/text.js';
import { formatCount, readableAmount } from '#shared/web/formatting/shown-amounts.js';
import { PaymentBadge } from '#shared/web/parts/status-badge.js';
import { CountText, AmountText, RecordName, TimeText } from '#shared/web/parts/values.js';
import { Card, LinkButton } from '#shared/web/dashboard/page-parts.js';
import { AttentionCard, SetupCard, SummaryCard } from './overview-parts.js';
import { MoneyTable } from './money-table.js';
import { type Overview, type OverviewQuery, PERIODS_DAYS } from './overview.js';
import type { AttentionItem, LatestPaymentRequest, CompleteAssetBalances } from './overview-queries.js';
import type { OverviewTotal } from './overview-total.js';

export interface OverviewProps {
  readonly visitor: PageUser;
  /** Length of the displayed period in days. */
  readonly span: number;
  readonly query: OverviewQuery;
  readonly networkName: (network: string) => string;
  readonly overview: Overview;
  readonly total: OverviewTotal;
  readonly counted: Pick<DailyAnalyticsView, 'complete' | 'uncountedSince'>;
  readonly money: readonly CompleteAssetBalances[];
  readonly attention: readonly AttentionItem[];
  readonly latest: readonly LatestPaymentRequest[];
}

/** Lag of analytics above which the page says that recent activity is not included. */
const REPORTED_LAG_MS = 60_000;

export function overviewPage(props: OverviewProps): VNode {
  const { visitor, span, overview, total, attention, networkName } = props;
  const mayManage = hasPermission(visitor.role, 'manage');
  const setup = <SetupCard attention={attention} mayManage={mayManage} />;
  const isNew = attention.some(({ kind }) => kind === 'no_transaction');
  return (
    <DashboardPage visitor={visitor} title="Overview" place="/app" actions={<PeriodChoices {...props} />}>
      {isNew && setup}
      <IncompleteAnalyticsNotice {...props} />
      <IgnoredParametersNotice {...props} />
      <SummaryCard overview={overview} total={total} span={span} mayManage={mayManage} />
      <AttentionCard attention={attention} networkName={networkName} />
      {!isNew && setup}
      <LatestPayments {...props} />
      <div class="halves">
        {overview.currencies.length > 0 && <Volume {...props} />}
        <Requests overview={overview} />
      </div>
      <MoneyTable {...props} />
    </DashboardPage>
  );
}

function LatestPayments({ latest }: Pick<OverviewProps, 'latest'>): VNode | null {
  if (latest.length === 0) return null;
  return (
    <Card title="Latest payments">
      <ListTable
        caption="Latest payments"
        items={latest}
        columns={[
          {
            title: 'Payment',
            wide: true,
            brief: true,
            cell: ({ id, referenceId }) => (
              <RecordName name={referenceId} id={id} href={`/app/payments/${id}`} />
            ),
          },
          {
            title: 'Amount',
            numeric: true,
            brief: true,
            cell: ({ amount, decimals, currency }) => (
              <AmountText
                amount={decimals === null ? amount : BigInt(amount)}
                decimals={decimals ?? 0}
                symbol={currency}
              />
            ),
          },
          { title: 'Status', brief: true, cell: ({ status }) => <PaymentBadge status={status} /> },
          { title: 'Created', brief: true, cell: ({ createdAt }) => <TimeText at={createdAt} /> },
        ]}
      />
      <LinkButton href="/app/payments" label="View all payments" />
    </Card>
  );
}

function PeriodChoices({ span, query }: Pick<OverviewProps, 'span' | 'query'>): VNode {
  const words = useTranslator();
  return (
    <nav class="actions" aria-label={words('Days')}>
      {PERIODS_DAYS.map((days) => (
        <ChoiceLink
          href={hrefWith('/app', { days: String(days), currency: query.currency })}
          isCurrent={days === span}
        >
          {t('{days} days', { days })}
        </ChoiceLink>
      ))}
    </nav>
  );
}

interface ChoiceProps {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}

function ChoiceLink({ href, isCurrent, children }: ChoiceProps): VNode {
  return (
    <a class="button" href={href} {...(isCurrent ? { 'aria-current': 'true' as const } : {})}>
      {children}
    </a>
  );
}

/** Says that analytics does not include recent activity, or lacks older days. */
function IncompleteAnalyticsNotice({
  counted,
  visitor,
}: Pick<OverviewProps, 'counted' | 'visitor'>): VNode | null {
  const { complete, uncountedSince } = counted;
  const isLate = uncountedSince !== null && visitor.at.getTime() - uncountedSince.getTime() > REPORTED_LAG_MS;
  if (complete && !isLate) return null;
  return (
    <p class="note" role="status">
      {isLate && (
        <>
          {t('Activity since {time} is not included yet.', {
            time: <TimeText at={uncountedSince} exact />,
          })}{' '}
        </>
      )}
      {!complete && t('Older days are missing until the operator recalculates them.')}
    </p>
  );
}

/** Says which query parameters the page could not apply. */
function IgnoredParametersNotice({
  query: { days, currency },
  span,
  overview,
  total,
}: OverviewProps): VNode | null {
  const isSpan = !days || days === String(span);
  const isCurrency = !currency || [total, ...overview.currencies].some((each) => each.currency === currency);
  if (isSpan && isCurrency) return null;
  return (
    <p class="note" role="status">
      {!isSpan && (
        <>
          {t('days must be {one} or {other}. Showing {span} days.', {
            one: PERIODS_DAYS[0],
            other: PERIODS_DAYS[1],
            span,
          })}{' '}
        </>
      )}
      {!isCurrency && t('Nothing was received in {currency} in this period.', { currency })}
    </p>
  );
}

/** Volume by day: the total, or the amounts of one asset. */
function Volume({ overview, total, span, query }: OverviewProps): VNode {
  const words = useTranslator();
  const language = useContext(LANGUAGE_CONTEXT);
  const choices = [total, ...overview.currencies];
  const of = choices.find(({ currency }) => currency === query.currency) ?? total;
  const text = (amount: bigint) => formatAmount(amount, of.decimals);
  return (
    <section class="card">
      <div class="heading">
        <h2>{t('Volume in {currency}', { currency: of.currency })}</h2>
        {choices.length > 2 && (
          <nav class="actions" aria-label={words('Currency')}>
            {choices.map(({ currency }) => (
              <ChoiceLink
                href={hrefWith('/app', { days: String(span), currency })}
                isCurrent={currency === of.currency}
              >
                <bdi>{currency}</bdi>
              </ChoiceLink>
            ))}
          </nav>
        )}
      </div>
      <DayChart
        label={t('{currency} received by day, compared with the previous {span} days', {
          ...{ currency: of.currency, span },
        })}
        days={overview.days}
        values={of.byDay.now}
        before={of.byDay.before}
        legend={{ values: 'Received', before: t('Previous {span} days', { span }) }}
        tick={(value) => shortNumber(text(value))}
        exact={(value) => readableAmount(text(value), of.currency, language)}
      />
    </section>
  );
}

function Requests({ overview }: { overview: Overview }): VNode {
  const { days, created, paid, statuses } = overview;
  const words = useTranslator();
  const language = useContext(LANGUAGE_CONTEXT);
  return (
    <Card title="Payment requests">
      {statuses.length === 0 ? (
        <EmptyState
          title="No payment requests in this period."
          note="Payment requests are created by the API, payment links and subscriptions."
          action={{ href: '/app/links', label: 'Payment links' }}
        />
      ) : (
        <DayChart
          label="Payment requests by day created. The lower part of each bar was paid."
          days={days}
          values={created.map(BigInt)}
          parts={paid.map(BigInt)}
          legend={{ values: 'Created', parts: 'Paid in full or overpaid' }}
          tick={(value) => shortNumber(value.toString())}
          exact={(value) => formatCount(Number(value), language)}
        />
      )}
      <ul class="counts" aria-label={words('By status')}>
        {statuses.map(({ status, count }) => (
          <li>
            <a href={hrefWith('/app/payments', { status, from: days[0], to: days.at(-1) })}>
              <PaymentBadge status={status} />
            </a>{' '}
            <CountText of={count} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
