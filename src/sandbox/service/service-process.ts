import { existsSync, readFileSync, renameSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { CannotStart, spawnChild, waitUntil, type ChildExit } from '../processes/child-process.js';
import type { ServerProcess } from '../processes/supervised-process.js';

export interface ServiceProcess {
  /** As the subject of a sentence. */
  name: string;
  /** Absolute path of the built program. */
  program: string;
  /** Its whole environment. */
  env: Readonly<Record<string, string>>;
  /** Its JSON lines are appended here. */
  logFile: string;
  /** Whether it is ready. @param logged its log since this start */
  isReady: (logged: string) => boolean | Promise<boolean>;
}

const READY_WITHIN = 60_000;
/** On SIGTERM the process finishes its open work for some seconds. */
const DRAINS_WITHIN = 15_000;
const LOG_KEPT = 10_000_000;

/**
 * Starts a process of the service and waits until it is ready. It ends with this process, even by SIGKILL.
 * @throws CannotStart with the sentence that the process printed before it ended
 */
export async function startServiceProcess(
  { name, program, env, logFile, isReady }: ServiceProcess,
  onExit: (exit: ChildExit) => void,
): Promise<ServerProcess> {
  rotate(logFile);
  const before = existsSync(logFile) ? statSync(logFile).size : 0;
  const logged = () => readFileSync(logFile).subarray(before).toString('utf8');
  const args = ['--enable-source-maps', program];
  const child = await spawnChild({ command: process.execPath, args, env, logFile, deathSignal: 'SIGKILL' });

  const ready = () => isReady(logged());
  const settled = await waitUntil(async () => child.hasExited() || (await ready()), {
    timeoutMs: READY_WITHIN,
  });
  if (child.hasExited())
    throw new CannotStart(startFailureOf(logged()) ?? `${name} ended at once; see ${basename(logFile)}.`);
  if (!settled) {
    await child.end('SIGKILL');
    throw new CannotStart(`${name} was not ready within ${READY_WITHIN / 1_000} s; ${logFile} may say why.`);
  }

  child.onExit(onExit);
  return { pid: child.pid, stop: () => child.end('SIGTERM', DRAINS_WITHIN) };
}

/** The plain-text lines between the JSON lines of the log: sentences for a person. */
function startFailureOf(logged: string): string | undefined {
  const plain = logged.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  return plain.length === 0 ? undefined : plain.join('\n');
}

/** One earlier file is kept. */
function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_KEPT) renameSync(logFile, `${logFile}.1`);
}
