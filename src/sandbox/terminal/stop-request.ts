import type { Screen } from './screen.js';

export interface StopRequest {
  readonly promise: Promise<void>;
  already(): boolean;
}

/** npm passes on a Ctrl-C that the terminal has told this process already: within so many milliseconds it is one. */
const SAME_WITHIN = 500;

/** Ctrl-C, SIGTERM or a closed terminal. A second Ctrl-C ends at once, and what this process started with it. */
export function onStopRequest(screen: Screen): StopRequest {
  let requested = false;
  let another = false;
  const promise = new Promise<void>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      if (another && signal === 'SIGINT') {
        screen.say('Ended at once.');
        process.exit(130);
      }
      requested = true;
      setTimeout(() => (another = true), SAME_WITHIN).unref();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
  return { promise, already: () => requested };
}
