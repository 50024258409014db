import { startFailureSentence } from '#shared/platform/settings/start-failure.js';

/** Runs a program to its end; what stops it is a sentence on standard error. @param work answers the exit status */
export async function runProgram(work: () => Promise<number | void>, failure = ''): Promise<never> {
  try {
    return process.exit((await work()) ?? 0);
  } catch (error) {
    process.stderr.write(`${failure}${startFailureSentence(error)}\n`);
    return process.exit(1);
  }
}
