import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxSettings } from '../app/sandbox-settings.js';
import type { ServiceProcess } from './service-process.js';

/** The API, then the worker, as the build made them. */
export function serviceProcesses(
  { httpHost, httpPort }: Pick<SandboxSettings, 'httpHost' | 'httpPort'>,
  logs: string,
  env: Record<string, string>,
): ServiceProcess[] {
  const built = (program: string) => fileURLToPath(new URL(`../../dist/${program}.js`, import.meta.url));
  const host = httpHost === '0.0.0.0' ? '127.0.0.1' : httpHost;
  const isHealthy = () =>
    fetch(`http://${host}:${httpPort}/health`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  const isWorking = (said: string) => said.includes('The worker is running.');
  const logFile = (program: string) => join(logs, `${program}.log`);
  return [
    { name: 'The API', program: built('main'), env, logFile: logFile('api'), isReady: isHealthy },
    { name: 'The worker', program: built('worker'), env, logFile: logFile('worker'), isReady: isWorking },
  ];
}
