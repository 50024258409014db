import { readFileSync } from 'node:fs';
import type { TestService } from '../support/service.js';
import { cpuMs } from './process-cpu.js';

/** Processor time since their begin, in milliseconds: of the two processes, and of PostgreSQL for each of them. */
export interface Spent {
  readonly api: number;
  readonly worker: number;
  readonly postgresOfApi: number;
  readonly postgresOfWorker: number;
  /** When it was read, in milliseconds. */
  readonly at: number;
}

export async function spent(service: TestService): Promise<Spent> {
  const backends = await service.query<{ name: string; pid: number }>(
    'SELECT application_name AS name, pid FROM pg_stat_activity WHERE datname = current_database()',
  );
  const of = (name: string) =>
    backends.filter((backend) => backend.name === name).reduce((sum, { pid }) => sum + cpuMs(pid), 0);
  const { api, worker } = service.processes;
  return {
    ...{ api: cpuMs(api.pid), worker: cpuMs(worker.pid) },
    ...{ postgresOfApi: of('api'), postgresOfWorker: of('worker'), at: performance.now() },
  };
}

/** Prints for people how much each has spent between two readings. @param count how many things it was spent on */
export function spentEach(from: Spent, to: Spent, count: number): string {
  const each = (what: keyof Spent) => ((to[what] - from[what]) / count).toFixed(2);
  return (
    `ms of processor time: API ${each('api')}, PostgreSQL for it ${each('postgresOfApi')}, ` +
    `worker ${each('worker')}, PostgreSQL for it ${each('postgresOfWorker')}; ms passed ${each('at')}`
  );
}

/** Memory that processes and their connections use, as a line for people. */
export async function memory(service: TestService): Promise<string> {
  const resident = (pid: number) =>
    /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  const { api, worker } = service.processes;
  const backends = await service.query<{ name: string; connections: number }>(
    `SELECT application_name AS name, count(*)::integer AS connections FROM pg_stat_activity
     WHERE datname = current_database() AND application_name IN ('api', 'worker') GROUP BY 1 ORDER BY 1`,
  );
  return `resident kB: API ${resident(api.pid)}, worker ${resident(worker.pid)}; connections: ${JSON.stringify(backends)}`;
}
