import type { PageLanguage } from '../messages/languages.js';

/** Values from 0 in equal steps of 1, 2 or 5 times a power of ten, up to at least `highest`. */
export function axisTicksUpTo(highest: bigint, most = 4): bigint[] {
  if (highest <= 0n) return [0n];
  let step = 1n;
  for (let power = 1n; step * BigInt(most) < highest; power *= 10n)
    step =
      [power, 2n * power, 5n * power, 10n * power].find((each) => each * BigInt(most) >= highest) ?? power;
  const steps = Number((highest + step - 1n) / step);
  return Array.from({ length: steps + 1 }, (_, place) => BigInt(place) * step);
}

/** Shortens a decimal string for an axis label: `950`, `1.5k`, `20M`. */
export function shortNumber(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  for (const [zeros, suffix] of [
    [9, 'G'],
    [6, 'M'],
    [3, 'k'],
  ] as const) {
    if (whole.length <= zeros) continue;
    const rest = (whole.slice(-zeros) + fraction).replace(/0+$/, '');
    return `${whole.slice(0, -zeros)}${rest === '' ? '' : `.${rest.slice(0, 2)}`}${suffix}`;
  }
  return text;
}

/** Returns the height of a bar in thousandths of the chart's height. A value above zero is always visible. */
export function barHeightOf(value: bigint, top: bigint): number {
  if (value <= 0n || top <= 0n) return 0;
  return Math.max(8, Number((value * 1000n) / top));
}

/** Divides the number of days, and results in at most seven labels. */
export function daysBetweenLabels(days: number): number {
  for (let size = 1; size < days; size += 1) if (days % size === 0 && days / size <= 7) return size;
  return Math.max(1, days);
}

/** Formats a day such as `20 Nov` in the reader's language. @param day YYYY-MM-DD */
export function formatDay(day: string, language: PageLanguage): string {
  const format = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, format).format(
    new Date(`${day}T00:00:00Z`),
  );
}

/** Returns the axis labels for the days. Only the first label of a month contains the month. */
export function dayLabels(days: readonly string[], language: PageLanguage): string[] {
  const isSameMonth = (place: number) => days[place - 1]?.slice(0, 7) === days[place]!.slice(0, 7);
  return days.map((day, place) =>
    isSameMonth(place) ? String(Number(day.slice(8))) : formatDay(day, language),
  );
}
