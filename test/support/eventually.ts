import { waitUntil } from '#sandbox/processes/child-process.js';

/**
 * Reads again and again until `isDone`.
 * @throws Error with the last value, when that takes longer than `timeoutMs` milliseconds
 */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isDone: (value: T) => boolean = Boolean,
  timeoutMs = 110_000,
): Promise<T> {
  let value: T | undefined;
  const done = await waitUntil(async () => isDone((value = await read())), { timeoutMs });
  if (done) return value!;
  throw new Error(`Not within ${timeoutMs / 1_000} s; at last: ${JSON.stringify(value)}`);
}
