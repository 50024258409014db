import type { PaymentFigures } from '#contexts/payments/contract/payment-figures.js';
import type { PaymentRequestStatus } from '#contexts/payments/contract/payment-request-events.js';
import { TypedText } from '#shared/platform/http/dashboard/dashboard-query.js';

export interface OverviewDay {
  readonly day: string;
  readonly created: number;
  /** In full, or more. */
  readonly paid: number;
}

export interface AssetVolume {
  readonly uniqueAssetId: string;
  readonly network: string;
  readonly currency: string;
  readonly decimals: number;
  readonly payments: number;
  readonly amount: bigint;
  /** One amount for each day of the period. */
  readonly byDay: readonly bigint[];
}

export interface Overview {
  readonly days: readonly OverviewDay[];
  readonly statuses: readonly { readonly status: PaymentRequestStatus; readonly count: number }[];
  /** Assets with the most payments come first. */
  readonly assets: readonly AssetVolume[];
  readonly created: number;
  readonly paid: number;
  /** Requests that can still be paid, or whose payment is not final. */
  readonly open: number;
  readonly secondsToPay?: PaymentFigures['secondsToPay'];
}

const PAID: ReadonlySet<PaymentRequestStatus> = new Set(['completed', 'overpaid']);
const OPEN: ReadonlySet<PaymentRequestStatus> = new Set(['pending', 'created', 'processing']);

/** @param days all of the period, also those on which nothing was created */
export function overviewOf(
  { counts, volumes, secondsToPay }: PaymentFigures,
  days: readonly string[],
): Overview {
  const countOf = (matches: (one: PaymentFigures['counts'][number]) => boolean) =>
    counts.filter(matches).reduce((sum, { count }) => sum + count, 0);
  const statuses = [...new Set(counts.map(({ status }) => status))].map((status) => ({
    status,
    count: countOf((one) => one.status === status),
  }));
  return {
    days: days.map((day) => ({
      day,
      created: countOf((one) => one.day === day),
      paid: countOf((one) => one.day === day && PAID.has(one.status)),
    })),
    statuses: statuses.sort((one, other) => other.count - one.count),
    assets: assetsOf(volumes, days),
    created: countOf(() => true),
    paid: countOf(({ status }) => PAID.has(status)),
    open: countOf(({ status }) => OPEN.has(status)),
    secondsToPay,
  };
}

function assetsOf(volumes: PaymentFigures['volumes'], days: readonly string[]): AssetVolume[] {
  const ids = [...new Set(volumes.map(({ uniqueAssetId }) => uniqueAssetId))];
  const assets = ids.map((id) => {
    const own = volumes.filter(({ uniqueAssetId }) => uniqueAssetId === id);
    const { uniqueAssetId, network, currency, decimals } = own[0]!;
    return {
      uniqueAssetId,
      network,
      currency,
      decimals,
      payments: own.reduce((sum, { payments }) => sum + payments, 0),
      amount: own.reduce((sum, { amount }) => sum + amount, 0n),
      byDay: days.map((day) => own.find((volume) => volume.day === day)?.amount ?? 0n),
    };
  });
  return assets.sort((one, other) => other.payments - one.payments);
}

/** The share of ended requests that were paid, in tenths of a percent rounded down; undefined where none has ended. */
export function conversionOf({ created, open, paid }: Pick<Overview, 'created' | 'open' | 'paid'>) {
  const ended = created - open;
  return ended === 0 ? undefined : `${Math.floor((paid * 1000) / ended) / 10} %`;
}

/** Heights of bars, in whole thousandths of the highest; a bar above zero is visible. */
export function heightsOf(values: readonly bigint[]): number[] {
  const highest = values.reduce((most, value) => (value > most ? value : most), 0n);
  return values.map((value) => (value === 0n ? 0 : Math.max(20, Number((value * 1000n) / highest))));
}

/** `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function shownSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${whole % 60} s` : `${whole} s`;
}

/** Periods of an overview in days; the first one is the default. */
export const PERIODS = [7, 30] as const;

/** A number of days that is not a period counts as the first period. */
export class OverviewQuery {
  @TypedText() days?: string;
}

export function periodOf({ days }: OverviewQuery): number {
  return PERIODS.find((period) => String(period) === days) ?? PERIODS[0];
}

/** UTC days as YYYY-MM-DD, oldest first, today the last. */
export function daysUpTo(now: Date, count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const day = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - (count - 1 - place));
    return new Date(day).toISOString().slice(0, 10);
  });
}
