import { jest } from '@jest/globals';

const LEFT_ALONE = [
  ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate'] as const),
];

/**
 * The global `setTimeout` and `setInterval` of this test file, under the hand of a test: no timer fires before the test
 * lets time pass, however slow the machine is. Clocks, sockets and `node:timers/promises` go on by themselves.
 */
export class HeldTimers {
  readonly asked: number[] = [];

  constructor() {
    jest.useFakeTimers({ doNotFake: LEFT_ALONE });
    const held = globalThis.setTimeout;
    globalThis.setTimeout = ((callback: () => void, ms: number, ...rest: []) => {
      this.asked.push(ms);
      return held(callback, ms, ...rest);
    }) as typeof setTimeout;
  }

  /** Lets everything happen that waits for no timer, until it is so. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Waits until a timer of so many milliseconds has been asked for, `times` times in all. */
  untilAsked(ms: number, times = 1): Promise<void> {
    return this.until(() => this.asked.filter((each) => each === ms).length >= times);
  }

  /** Fires what becomes due in its order, each with what follows from it at once. */
  async pass(ms: number): Promise<void> {
    await jest.advanceTimersByTimeAsync(ms);
  }

  release(): void {
    jest.useRealTimers();
  }
}
