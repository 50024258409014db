import { startFailureSentence } from '#shared/platform/setting-reader.js';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { CannotStart } from '../processes/child-process.js';
import type { TerminalOutput } from './terminal-output.js';

/** Thrown for `--help`. The message is the usage. */
class UsageRequested extends Error {}

/** @param work returns the exit status */
export async function runProgram(work: () => Promise<number | void>, failure = ''): Promise<never> {
  try {
    return process.exit((await work()) ?? 0);
  } catch (error) {
    if (error instanceof UsageRequested) {
      process.stdout.write(`${error.message}\n`);
      return process.exit(0);
    }
    process.stderr.write(`${failure}${startFailureSentence(error)}\n`);
    return process.exit(1);
  }
}

/**
 * @throws UsageRequested for `--help` and `-h`
 * @throws CannotStart with the usage
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  options: Options,
  usage: string,
) {
  if (args.includes('--help') || args.includes('-h')) throw new UsageRequested(usage);
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new CannotStart(`${(error as Error).message}\n\n${usage}`);
  }
}

/**
 * @param name subject of a sentence
 * @throws CannotStart
 */
export function wholeNumber(name: string, text: string, { min, max }: { min: number; max: number }): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new CannotStart(`${name} must be a whole number from ${min} to ${max}, not ${text}.`);
}

export interface StopRequest {
  readonly promise: Promise<void>;
  already(): boolean;
}

/** Milliseconds. npm repeats a Ctrl-C that this process has already received; both count once. */
const SAME_WITHIN = 500;

/** A second Ctrl-C ends this process and its children immediately. */
export function onStopRequest(output: TerminalOutput): StopRequest {
  let requested = false;
  let another = false;
  const promise = new Promise<void>((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      if (another && signal === 'SIGINT') {
        output.print('Ended immediately.');
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
