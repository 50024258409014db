import { formatAmount } from '#shared/kernel/amount.js';
import type { DisplayedReadProgress } from './explanation-view.js';

export function formatMoney(
  amount: bigint,
  { decimals, currency }: { readonly decimals: number; readonly currency: string },
): string {
  return `${formatAmount(amount, decimals)} ${currency}`;
}

export function formatTime(time: Date): string {
  return `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Two largest units: `2 days 3 hours`, `4 minutes 10 seconds`, `0 seconds`. */
export function formatDuration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const;
  let left = Math.floor(seconds);
  const parts = units.flatMap(([name, size]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [formatCount(count, name)];
  });
  return parts.slice(0, 2).join(' ') || '0 seconds';
}

export function formatCount(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** Example: `erc20 was read up to block 20 (2026-01-31 12:00:00 UTC)`. */
export function formatReadProgress(networks: readonly DisplayedReadProgress[]): string {
  const sentences = networks.map(({ network, read }) =>
    read === undefined
      ? `${network} is not being read`
      : `${network} was read up to block ${read.toBlock} (${formatTime(read.toTime)})`,
  );
  return sentences.join(', ');
}
