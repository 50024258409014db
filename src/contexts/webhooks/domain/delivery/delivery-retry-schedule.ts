const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds to wait after each failed attempt. The attempt after the last delay is final (docs/reference/webhooks.md). */
const DELAYS_SECONDS = [
  5,
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
];
const SPREAD = 0.2;

/**
 * The delay after a failed attempt. Spread, so that deliveries that failed together are not retried together.
 * @param attempt number of the failed attempt, from 1
 * @param chance in [0, 1)
 * @returns milliseconds, or null after the last attempt
 */
export function delayAfter(attempt: number, chance: number): number | null {
  const seconds = DELAYS_SECONDS[attempt - 1];
  return seconds === undefined ? null : Math.round(seconds * 1000 * (1 - SPREAD + 2 * SPREAD * chance));
}
