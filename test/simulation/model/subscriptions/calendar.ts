const STEPS: Readonly<Record<string, { days?: number; months?: number }>> = {
  P1D: { days: 1 },
  P1W: { days: 7 },
  P1M: { months: 1 },
  P1Y: { months: 12 },
};

export function isInterval(value: unknown): value is string {
  return typeof value === 'string' && Object.hasOwn(STEPS, value);
}

/** The due date so many intervals after the first, at the calendar date in UTC. */
export function dueDate(first: number, interval: string, count: number): number {
  const { days = 0, months = 0 } = STEPS[interval] ?? {};
  if (months === 0) return first + days * count * 86_400_000;
  const date = new Date(first);
  const month = date.getUTCMonth() + months * count;
  const last = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), last);
  return Date.UTC(date.getUTCFullYear(), month, day) + (first % 86_400_000);
}

/** @returns whether a moment is a due date, where the first lies in a span */
export function isDueDate(
  time: number,
  first: { readonly from: number; readonly to: number },
  interval: string,
): boolean {
  for (let count = 0; count < 4000; count += 1) {
    const from = dueDate(first.from, interval, count);
    if (from > time + 1000) return false;
    if (time <= dueDate(first.to, interval, count) + 1000) return true;
  }
  return true;
}
