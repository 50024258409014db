import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localUrl, type SandboxSettings } from '../sandbox-settings.js';
import type { ServiceProcess } from './service-process.js';

/** The fields of `GET /health/ready` that are read here (docs/operating.md). */
interface Readiness {
  readonly process: { readonly state: string };
  readonly database: { readonly state: string };
}

/** The built API and worker, in this order. Each has a port of its own for metrics: the worker the one after METRICS_PORT. */
export function serviceProcesses(
  address: Pick<SandboxSettings, 'httpHost' | 'httpPort'>,
  logs: string,
  env: Record<string, string>,
): ServiceProcess[] {
  const built = (program: string) => fileURLToPath(new URL(`../../../dist/${program}.js`, import.meta.url));
  // A chain that does not answer keeps requests off its network, not the service from its start.
  const isServing = () =>
    fetch(`${localUrl(address)}/health/ready`, { signal: AbortSignal.timeout(5_000) })
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
