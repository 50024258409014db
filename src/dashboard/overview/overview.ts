import {
  type DailyAnalyticsValue,
  PAID_WITHIN_SECONDS,
} from '#contexts/analytics/contract/daily-analytics.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { IsEnteredText } from '#shared/platform/http/dashboard/dashboard-query.js';

export interface WithPreviousPeriod<Value> {
  readonly now: Value;
  readonly before: Value;
}

/** Volume of all assets with the same symbol, in smallest units of the asset with the most decimals. */
export interface CurrencyVolume {
  readonly currency: string;
  readonly decimals: number;
  readonly payments: WithPreviousPeriod<number>;
  readonly volume: WithPreviousPeriod<bigint>;
  readonly byDay: WithPreviousPeriod<readonly bigint[]>;
}

/** Amounts of one asset received, settled and refunded in the period. */
export interface AssetFlows {
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
  readonly payments: number;
  readonly received: bigint;
  readonly settled: bigint;
  readonly refunded: bigint;
}

export interface Overview {
  /** UTC days of the period, oldest first. */
  readonly days: readonly string[];
  readonly created: readonly number[];
  /** Number of requests created on each day that were paid in full or overpaid. */
  readonly paid: readonly number[];
  readonly payments: WithPreviousPeriod<number>;
  /** Share of ended requests that were paid, in tenths of a percent. Undefined if no request has ended. */
  readonly conversion: WithPreviousPeriod<number | undefined>;
  /** Number of requests created in the period, by status, most frequent status first. */
  readonly statuses: readonly { readonly status: PaymentRequestStatus; readonly count: number }[];
  /** Currencies by number of payments, largest first. */
  readonly currencies: readonly CurrencyVolume[];
  readonly assets: readonly AssetFlows[];
  /** The shortest `paid_within` buckets in which half and nine tenths of the payments were complete. */
  readonly paidWithin?: { readonly half: string; readonly most: string };
}

const PAID_STATUSES: ReadonlySet<string> = new Set<PaymentRequestStatus>(['completed', 'overpaid']);
const OPEN_STATUSES: ReadonlySet<string> = new Set<PaymentRequestStatus>([
  'pending',
  'created',
  'processing',
]);
/** Deposits count too, and reversed transfers are subtracted. */
const RECEIVED_FACTORS = { paid: 1n, deposited: 1n, reversed: -1n } as const;

/** Builds the overview. @param days days of the previous and the current period together, oldest first */
export function buildOverview(figures: readonly DailyAnalyticsValue[], days: readonly string[]): Overview {
  const [earlier, later] = [days.slice(0, days.length / 2), days.slice(days.length / 2)];
  const compared = <Value>(of: (span: readonly string[]) => Value): WithPreviousPeriod<Value> => ({
    now: of(later),
    before: of(earlier),
  });
  const requests = figures.filter(({ figure }) => figure === 'requests');
  const money = figures.filter((each): each is MoneyFigure => each.asset !== undefined);
  const within = figures.filter(({ figure, day }) => figure === 'paid_within' && later.includes(day));
  const now = requests.filter(({ day }) => later.includes(day));
  return {
    days: later,
    created: later.map((day) => sumNumbers(now.filter((each) => each.day === day))),
    paid: later.map((day) =>
      sumNumbers(now.filter((each) => each.day === day && PAID_STATUSES.has(each.part))),
    ),
    payments: compared((span) =>
      sumNumbers(money.filter(({ figure, day }) => figure === 'paid' && span.includes(day))),
    ),
    conversion: compared((span) => conversionOf(requests.filter(({ day }) => span.includes(day)))),
    statuses: statusesOf(now),
    currencies: currenciesOf(money, compared),
    assets: assetsOf(money.filter(({ day }) => later.includes(day))),
    ...paidWithinOf(within),
  };
}

type MoneyFigure = DailyAnalyticsValue & Required<Pick<DailyAnalyticsValue, 'asset'>>;

function sumNumbers(of: readonly DailyAnalyticsValue[]): number {
  return of.reduce((sum, { number }) => sum + number, 0);
}

function amountOf(of: readonly DailyAnalyticsValue[]): bigint {
  return of.reduce((sum, { amount }) => sum + amount, 0n);
}

function receivedOf(of: readonly DailyAnalyticsValue[]): bigint {
  return of.reduce(
    (sum, { figure, amount }) =>
      sum + (figure in RECEIVED_FACTORS ? RECEIVED_FACTORS[figure as 'paid'] * amount : 0n),
    0n,
  );
}

/** Returns the share of ended requests that were paid, rounded down. */
function conversionOf(requests: readonly DailyAnalyticsValue[]): number | undefined {
  const ended = sumNumbers(requests.filter(({ part }) => !OPEN_STATUSES.has(part)));
  if (ended === 0) return undefined;
  return Math.floor((sumNumbers(requests.filter(({ part }) => PAID_STATUSES.has(part))) * 1000) / ended);
}

function statusesOf(requests: readonly DailyAnalyticsValue[]): Overview['statuses'] {
  const statuses = [...new Set(requests.map(({ part }) => part))] as PaymentRequestStatus[];
  return statuses
    .map((status) => ({ status, count: sumNumbers(requests.filter(({ part }) => part === status)) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

function currenciesOf(
  money: readonly MoneyFigure[],
  compared: <Value>(of: (span: readonly string[]) => Value) => WithPreviousPeriod<Value>,
): CurrencyVolume[] {
  const received = money.filter(({ figure }) => figure in RECEIVED_FACTORS);
  const currencies = [...new Set(received.map(({ asset }) => asset.currency))].map((currency) => {
    const found = received.filter(({ asset }) => asset.currency === currency);
    const decimals = Math.max(...found.map(({ asset }) => asset.decimals));
    const own = found.map((each) => ({
      ...each,
      amount: each.amount * 10n ** BigInt(decimals - each.asset.decimals),
    }));
    const paid = own.filter(({ figure }) => figure === 'paid');
    return {
      currency,
      decimals,
      payments: compared((span) => sumNumbers(paid.filter(({ day }) => span.includes(day)))),
      volume: compared((span) => receivedOf(own.filter(({ day }) => span.includes(day)))),
      byDay: compared((span) => span.map((day) => receivedOf(own.filter((each) => each.day === day)))),
    };
  });
  return currencies.sort((one, other) => other.payments.now - one.payments.now);
}

function assetsOf(money: readonly MoneyFigure[]): AssetFlows[] {
  const ids = [...new Set(money.map(({ part }) => part))];
  const assets = ids.map((uniqueAssetId) => {
    const own = money.filter(({ part }) => part === uniqueAssetId);
    const of = (figure: string) => own.filter((each) => each.figure === figure);
    return {
      uniqueAssetId,
      ...own[0]!.asset,
      payments: sumNumbers(of('paid')),
      received: receivedOf(own),
      settled: amountOf(of('settled')),
      refunded: amountOf(of('refunded')),
    };
  });
  return assets.sort((one, other) => other.payments - one.payments);
}

function paidWithinOf(within: readonly DailyAnalyticsValue[]): Pick<Overview, 'paidWithin'> {
  const payments = sumNumbers(within);
  if (payments === 0) return {};
  const reached = (share: number) => {
    let sum = 0;
    return (
      PAID_WITHIN_SECONDS.map(String).find((part) => {
        sum += sumNumbers(within.filter((each) => each.part === part));
        return sum * 10 >= payments * share;
      }) ?? 'longer'
    );
  };
  return { paidWithin: { half: reached(5), most: reached(9) } };
}

/** Periods that the overview offers, in days. The first one is the default. */
export const PERIODS_DAYS = [7, 30] as const;

/**
 * An unknown `days` selects the first period, and a currency without volume the first currency; the page then says
 * so.
 */
export class OverviewQuery {
  @IsEnteredText() days?: string;
  @IsEnteredText() currency?: string;
}

export function selectedSpan({ days }: OverviewQuery): number {
  return PERIODS_DAYS.find((span) => String(span) === days) ?? PERIODS_DAYS[0];
}

/** Returns the last UTC days including today as YYYY-MM-DD, oldest first. */
export function lastDays(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (count - 1 - place));
    return new Date(day).toISOString().slice(0, 10);
  });
}
