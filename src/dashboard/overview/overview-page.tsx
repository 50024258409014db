import type { ComponentChildren, VNode } from 'preact';
import { useContext } from 'preact/hooks';
import type { CountedAnalytics, FigureAsset } from '#contexts/analytics/contract/daily-analytics.js';
import { formatAmount } from '#shared/kernel/amount.js';
import { may } from '#shared/kernel/dashboard-access.js';
import { DayChart } from '#shared/web/charts/day-chart.js';
import { shortNumber, formatDay } from '#shared/web/charts/scale.js';
import { DashboardPage, type PageVisitor } from '#shared/web/dashboard/dashboard-page.js';
import { EmptyState, hrefWith } from '#shared/web/dashboard/list-page.js';
import { LANGUAGE, t, useWords } from '#shared/web/dashboard/words/text.js';
import { readableAmount } from '#shared/web/formatting/shown-amounts.js';
import { PaymentBadge } from '#shared/web/parts/badge.js';
import { Count, When } from '#shared/web/parts/values.js';
import { Card } from '#shared/web/dashboard/page-parts.js';
import { AttentionCard, DaysChart, SetupCard, SummaryCards } from './overview-parts.js';
import { MoneyTable } from './money-table.js';
import { type CurrencyVolume, type Overview, type OverviewQuery, PERIODS_DAYS } from './overview.js';
import type { AttentionItem, AssetBalances } from './overview-queries.js';

export interface OverviewProps {
  readonly visitor: PageVisitor;
  /** Length of the displayed period in days. */
  readonly span: number;
  readonly query: OverviewQuery;
  readonly networkName: (network: string) => string;
  readonly assetOf: (uniqueAssetId: string) => FigureAsset | undefined;
  readonly overview: Overview;
  readonly counted: Pick<CountedAnalytics, 'complete' | 'uncountedSince'>;
  readonly money: readonly AssetBalances[];
  readonly attention: readonly AttentionItem[];
}

/** Lag of analytics above which the page says that recent activity is not included. */
const REPORTED_LAG_MS = 60_000;

export function overviewPage(props: OverviewProps): VNode {
  const { visitor, span, overview, query, attention, networkName } = props;
  const drawn =
    overview.currencies.find(({ currency }) => currency === query.currency) ?? overview.currencies[0];
  const mayManage = may(visitor.role, 'manage');
  const hasNumbers = (query.numbers ?? '') !== '';
  return (
    <DashboardPage
      visitor={visitor}
      title="Overview"
      place="/app"
      actions={<PeriodAndCurrencyChoices {...props} />}
    >
      <SetupCard attention={attention} mayManage={mayManage} />
      <AttentionCard attention={attention} networkName={networkName} mayManage={mayManage} />
      <IncompleteAnalyticsNotice {...props} />
      <IgnoredParametersNotice {...props} />
      <SummaryCards overview={overview} span={span} />
      <div class="halves">
        {drawn !== undefined && !hasNumbers && <Volume of={drawn} {...props} />}
        <Requests overview={overview} hasChart={!hasNumbers} />
      </div>
      {hasNumbers && <DaysChart overview={overview} of={drawn} />}
      <MoneyTable {...props} />
    </DashboardPage>
  );
}

function PeriodAndCurrencyChoices({ span, query }: Pick<OverviewProps, 'span' | 'query'>): VNode {
  const words = useWords();
  const numbers = query.numbers;
  const isOfNumbers = (numbers ?? '') !== '';
  const to = (chosen: Record<string, string | undefined>) =>
    hrefWith('/app', { days: String(span), currency: query.currency, numbers, ...chosen });
  return (
    <nav class="actions" aria-label={words('Days')}>
      {PERIODS_DAYS.map((days) => (
        <ChoiceLinks href={to({ days: String(days) })} isCurrent={days === span}>
          {t('{days} days', { days })}
        </ChoiceLinks>
      ))}
      <ChoiceLinks href={to({ numbers: isOfNumbers ? undefined : 'yes' })} isCurrent={isOfNumbers}>
        {t('By day')}
      </ChoiceLinks>
    </nav>
  );
}

interface ChoiceProps {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly children: ComponentChildren;
}

function ChoiceLinks({ href, isCurrent, children }: ChoiceProps): VNode {
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
            time: <When at={uncountedSince} exact />,
          })}{' '}
        </>
      )}
      {!complete && t('Older days are missing until the operator recalculates them.')}
    </p>
  );
}

/** Says which query parameters the page could not apply. */
function IgnoredParametersNotice({ query: { days, currency }, span, overview }: OverviewProps): VNode | null {
  const isSpan = !days || days === String(span);
  const isCurrency = !currency || overview.currencies.some((each) => each.currency === currency);
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

function Volume({ of, overview, span }: { of: CurrencyVolume } & OverviewProps): VNode {
  const words = useWords();
  const language = useContext(LANGUAGE);
  const text = (amount: bigint) => formatAmount(amount, of.decimals);
  const dayText = (place: number) => ({
    name: `${formatDay(overview.days[place]!, language)}: ${readableAmount(text(of.byDay.now[place]!), of.currency, language)}`,
  });
  return (
    <section class="card">
      <div class="heading">
        <h2>{t('Volume in {currency}', { currency: of.currency })}</h2>
        {overview.currencies.length > 1 && (
          <nav class="actions" aria-label={words('Currency')}>
            {overview.currencies.map(({ currency }) => (
              <ChoiceLinks
                href={hrefWith('/app', { days: String(span), currency })}
                isCurrent={currency === of.currency}
              >
                <bdi>{currency}</bdi>
              </ChoiceLinks>
            ))}
          </nav>
        )}
      </div>
      <DayChart
        label={t(
          '{currency} received by day, compared with the previous {span} days. The numbers are under By day.',
          {
            ...{ currency: of.currency, span },
          },
        )}
        days={overview.days}
        values={of.byDay.now}
        before={of.byDay.before}
        legend={{ values: 'Received', before: t('Previous {span} days', { span }) }}
        tick={(value) => shortNumber(text(value))}
        dayText={dayText}
      />
    </section>
  );
}

function Requests({ overview, hasChart }: { overview: Overview; hasChart: boolean }): VNode {
  const { days, created, paid, statuses } = overview;
  const words = useWords();
  const language = useContext(LANGUAGE);
  return (
    <Card title="Payment requests">
      {statuses.length === 0 && (
        <EmptyState
          title="No payment requests in this period."
          note="Payment requests are created by the API, payment links and subscriptions."
          action={{ href: '/app/links', label: 'Payment links' }}
        />
      )}
      {statuses.length > 0 && hasChart && (
        <DayChart
          label="Payment requests by day created. The lower part of each bar was paid."
          days={days}
          values={created.map(BigInt)}
          parts={paid.map(BigInt)}
          legend={{ values: 'Created', parts: 'Paid in full or overpaid' }}
          tick={(value) => shortNumber(value.toString())}
          dayText={(place) =>
            t('{day}: {created} created, {paid} paid', {
              ...{ day: formatDay(days[place]!, language), created: created[place]!, paid: paid[place]! },
            })
          }
        />
      )}
      <ul class="counts" aria-label={words('By status')}>
        {statuses.map(({ status, count }) => (
          <li>
            <a href={hrefWith('/app/payments', { status, from: days[0], to: days.at(-1) })}>
              <PaymentBadge status={status} />
            </a>{' '}
            <Count of={count} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
