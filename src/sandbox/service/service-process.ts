import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { CannotStart, spawnTied, waitUntil, type ChildExit } from '../processes/child-process.js';
import type { Part } from '../processes/kept-running.js';

export interface ServiceProcess {
  /** As the subject of a sentence. */
  name: string;
  /** Absolute path of the built program. */
  program: string;
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  /** Takes its JSON lines, appended. */
  logFile: string;
  /** Whether it does its work. @param said what it logged since it was started */
  isReady: (said: string) => boolean | Promise<boolean>;
}

const READY_WITHIN = 60_000;
/** It drains for some seconds when it is told to end. */
const DRAINS_WITHIN = 15_000;
const LOG_KEPT = 10_000_000;

/**
 * Starts a process of the service and waits until it does its work. It ends with this process, even by SIGKILL.
 * @throws CannotStart with the sentence that the process ended with
 */
export async function startServiceProcess(
  { name, program, env, logFile, isReady }: ServiceProcess,
  onExit: (exit: ChildExit) => void,
): Promise<Part> {
  rotate(logFile);
  const before = existsSync(logFile) ? statSync(logFile).size : 0;
  const said = () => readFileSync(logFile).subarray(before).toString('utf8');
  const args = ['--enable-source-maps', program];
  const child = await spawnTied({ command: process.execPath, args, env, logFile, deathSignal: 'SIGKILL' });

  const ready = () => isReady(said());
  const settled = await waitUntil(async () => child.hasExited() || (await ready()), {
    timeoutMs: READY_WITHIN,
  });
  if (child.hasExited())
    throw new CannotStart(lastWords(said()) ?? `${name} ended at once; see ${basename(logFile)}.`);
  if (!settled) {
    await child.end('SIGKILL');
    throw new CannotStart(`${name} was not ready within ${READY_WITHIN / 1_000} s; ${logFile} may say why.`);
  }

  let wanted = false;
  void child.exit.then((exit) => {
    if (!wanted) onExit(exit);
  });
  return {
    pid: child.pid,
    stop: () => {
      wanted = true;
      return child.end('SIGTERM', DRAINS_WITHIN);
    },
  };
}

/** Its JSON lines are the log; what it says to a person stands between them as plain text. */
function lastWords(said: string): string | undefined {
  const plain = said.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  return plain.length === 0 ? undefined : plain.join('\n');
}

/** One earlier file is kept. */
function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_KEPT) renameSync(logFile, `${logFile}.1`);
}
