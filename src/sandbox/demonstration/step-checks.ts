/** Reports each step of the demonstration. */
export interface StepReporter {
  /** @returns the result of `work`; its `words` are for the terminal @throws the error of `work` */
  step<T>(title: string, work: () => Promise<[words: string, result: T]>): Promise<T>;
}

const POLL_EVERY_MS = 1_000;
/** Milliseconds for what a chain and a worker have to do. */
export const WITHIN_MS = 60_000;

/** Polls once a second until `isDone`. @throws Error after `WITHIN_MS` */
export async function poll<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    check(performance.now() < deadline, `it should not take longer than ${WITHIN_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
  }
}

export function same<Value>(what: string, actual: Value, expected: Value): void {
  check(actual === expected, `${what} should be ${String(expected)}, not ${String(actual)}`);
}

export function check(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`Not as promised: ${promise}.`);
}
