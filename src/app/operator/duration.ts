import { UsageError } from './command.js';

const SECONDS_PER_UNIT = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 } as const;

type DurationUnit = keyof typeof SECONDS_PER_UNIT;

export function parseDuration(text: string, mostDays: number): number {
  if (!/^(\d{1,9}[smhdw])+$/.test(text)) {
    throw new UsageError(
      'duration must be whole numbers with units (s, m, h, d or w), such as 31d, 15m or 1d12h.',
    );
  }
  const seconds = [...text.matchAll(/(\d+)([smhdw])/g)]
    .map(([, count, unit]) => Number(count) * SECONDS_PER_UNIT[unit as DurationUnit])
    .reduce((sum, part) => sum + part, 0);
  if (seconds === 0) throw new UsageError('duration must be more than 0.');
  if (seconds > mostDays * SECONDS_PER_UNIT.d) throw new UsageError(`duration must be at most ${mostDays}d.`);
  return seconds;
}

export function formatDuration(seconds: number): string {
  if (seconds === 0) return '0s';
  let left = seconds;
  return (['d', 'h', 'm', 's'] as const)
    .map((unit) => {
      const count = Math.floor(left / SECONDS_PER_UNIT[unit]);
      left -= count * SECONDS_PER_UNIT[unit];
      return count === 0 ? '' : `${count}${unit}`;
    })
    .join('');
}
