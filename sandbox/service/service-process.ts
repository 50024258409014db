import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { existsSync, renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localUrl, type SandboxSettings } from '../sandbox-settings.js';
import {
  CannotStart,
  spawnChild,
  waitUntil,
  type ChildExit,
  type ServerProcess,
} from '../processes/child-process.js';

/**
 * Duplicates the type in src/app/run-process.ts, because the sandbox imports no code of the programs that it starts.
 */
interface StartReport {
  readonly isReady: boolean;
  /** Reason of a failed start, as sentences. */
  readonly failure?: string;
}

export interface ServiceProcess {
  /** Subject of a sentence. */
  name: string;
  /** Absolute path. */
  program: string;
  /** The complete environment of the process. */
  env: Readonly<Record<string, string>>;
  logFile: string;
  /** Further check after the process reports that it has started. */
  isReady?: () => Promise<boolean>;
}

/** The fields of `GET /health/ready` used here (docs/operating/observability.md). */
interface Readiness {
  readonly process: { readonly state: string };
  readonly database: { readonly state: string };
}

const READY_WITHIN = 60_000;
/** Time for the process to finish open work after SIGTERM. */
const DRAINS_WITHIN = 15_000;
const LOG_KEPT = 10_000_000;

/**
 * Waits until the process is ready. It ends with this process, even after SIGKILL.
 * @throws CannotStart with the reported failure
 */
export async function startServiceProcess(
  { name, program, env, logFile, isReady }: ServiceProcess,
  onExit: (exit: ChildExit) => void,
): Promise<ServerProcess> {
  rotate(logFile);
  let report: StartReport | undefined;
  const onMessage = (message: unknown) => void (report = message as StartReport);
  const args = ['--enable-source-maps', program];
  const started = { command: process.execPath, args, env, logFile, onMessage };
  const child = await spawnChild({ ...started, deathSignal: 'SIGKILL' });

  const ready = async () => report?.isReady === true && ((await isReady?.()) ?? true);
  const settled = await waitUntil(async () => child.hasExited() || (await ready()), {
    timeoutMs: READY_WITHIN,
  });
  if (child.hasExited())
    throw new CannotStart(report?.failure ?? `${name} ended before it was ready; see ${basename(logFile)}.`);
  if (!settled) {
    await child.end('SIGKILL');
    throw new CannotStart(
      `${name} was not ready within ${READY_WITHIN / 1_000} s; ${logFile} may contain the reason.`,
    );
  }

  child.onExit(onExit);
  return { pid: child.pid, stop: () => child.end('SIGTERM', DRAINS_WITHIN) };
}

/** Keeps one previous log file. */
function rotate(logFile: string): void {
  if (existsSync(logFile) && statSync(logFile).size > LOG_KEPT) renameSync(logFile, `${logFile}.1`);
}

/** The built API and worker, in this order. The worker's metrics port is METRICS_PORT + 1. */
export function serviceProcesses(
  address: Pick<SandboxSettings, 'httpHost' | 'httpPort'>,
  logs: string,
  env: Record<string, string>,
): ServiceProcess[] {
  const built = (program: string) => fileURLToPath(new URL(`../../dist/${program}.js`, import.meta.url));
  // Does not require ready networks: an unreachable chain must not prevent the start.
  const isServing = () =>
    outgoingFetch(`${localUrl(address)}/health/ready`, { signal: AbortSignal.timeout(5_000) })
      .then((answer) => answer.json() as Promise<Readiness>)
      .then(
        ({ process, database }) => process.state === 'serving' && database.state === 'ok',
        () => false,
      );
  const { METRICS_PORT: metricsPort } = env;
  const workerEnv = metricsPort ? { ...env, METRICS_PORT: String(Number(metricsPort) + 1) } : env;
  const logFile = (program: string) => join(logs, `${program}.log`);
  return [
    { name: 'The API', program: built('main'), env, logFile: logFile('api'), isReady: isServing },
    {
      name: 'The worker',
      program: built('worker'),
      env: workerEnv,
      logFile: logFile('worker'),
    },
  ];
}
