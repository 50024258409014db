import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between checks. They grow, because frequent checks take processor time from the work that a test waits for. */
const [FIRST_MS, LONGEST_MS, GROWTH] = [10, 200, 1.3];

/**
 * Reads again and again until `isDone`.
 * @throws Error with the last value, when that takes longer than `timeoutMs` milliseconds
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean = Boolean,
  timeoutMs = 110_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (let everyMs = FIRST_MS; ; everyMs = Math.min(everyMs * GROWTH, LONGEST_MS)) {
    const value = await read();
    if (isDone(value)) return value;
    if (performance.now() >= deadline)
      throw new Error(`Not within ${timeoutMs / 1_000} s; at last: ${JSON.stringify(value)}`);
    await pause(everyMs);
  }
}
