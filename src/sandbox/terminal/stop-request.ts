import type { TerminalOutput } from './terminal-output.js';

export interface StopRequest {
  readonly promise: Promise<void>;
  already(): boolean;
}

/** Milliseconds. npm repeats a Ctrl-C that the terminal sent to this process already; both count as one. */
const SAME_WITHIN = 500;

/** Ctrl-C, SIGTERM or a closed terminal. A second Ctrl-C ends this process and its children at once. */
export function onStopRequest(output: TerminalOutput): StopRequest {
  let requested = false;
  let another = false;
  const promise = new Promise<void>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      if (another && signal === 'SIGINT') {
        output.print('Ended at once.');
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
