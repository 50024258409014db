import type { Screen } from './screen.js';

export interface StopRequest {
  readonly promise: Promise<void>;
  already(): boolean;
}

/** Ctrl-C, SIGTERM or a closed terminal. A second Ctrl-C ends at once, and what this process started with it. */
export function onStopRequest(screen: Screen): StopRequest {
  let requested = false;
  const promise = new Promise<void>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      if (requested && signal === 'SIGINT') {
        screen.say('Ended at once.');
        process.exit(130);
      }
      requested = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
  return { promise, already: () => requested };
}
