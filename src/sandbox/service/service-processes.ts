import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localUrl, type SandboxSettings } from '../sandbox-settings.js';
import type { ServiceProcess } from './service-process.js';

/** The built API and worker, in this order. Each has a port of its own for metrics: the worker the one after METRICS_PORT. */
export function serviceProcesses(
  address: Pick<SandboxSettings, 'httpHost' | 'httpPort'>,
  logs: string,
  env: Record<string, string>,
): ServiceProcess[] {
  const built = (program: string) => fileURLToPath(new URL(`../../../dist/${program}.js`, import.meta.url));
  const isHealthy = () =>
    fetch(`${localUrl(address)}/health`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const isWorking = (logged: string) => logged.includes('The worker is running.');
  const { METRICS_PORT: metricsPort } = env;
  const workerEnv = metricsPort ? { ...env, METRICS_PORT: String(Number(metricsPort) + 1) } : env;
  const logFile = (program: string) => join(logs, `${program}.log`);
  return [
    { name: 'The API', program: built('main'), env, logFile: logFile('api'), isReady: isHealthy },
    {
      name: 'The worker',
      program: built('worker'),
      env: workerEnv,
      logFile: logFile('worker'),
      isReady: isWorking,
    },
  ];
}
