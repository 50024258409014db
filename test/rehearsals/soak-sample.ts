import { readFileSync } from 'node:fs';
import { cpuMs } from '../evidence/process-cpu.js';
import type { KillableSandbox } from '../faults/killable-sandbox.js';
import { childrenOf } from '../support/sandbox-programs.js';

export interface SoakSample {
  /** Processor time of API, worker and PostgreSQL since they began, in milliseconds. */
  readonly processorMs: readonly [number, number, number];
  /** Resident memory of each, in mebibytes; PostgreSQL's shared memory counts once. */
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
  /** The connections of the service to its database. */
  readonly connections: number;
  readonly completed: number;
  readonly tables: ReadonlyMap<string, TableSize>;
}

export interface TableSize {
  readonly rows: number;
  /** The bytes of rows and indexes. */
  readonly bytes: number;
}

export async function takeSample(sandbox: KillableSandbox): Promise<SoakSample> {
  const [api, worker, postgres] = (['api', 'worker', 'postgres'] as const).map((part) =>
    sandbox.pidOf(part)!,
  );
  const sessions = [postgres!, ...childrenOf(postgres!).map(({ pid }) => pid)];
  const [counted] = await sandbox.query<{ connections: number; completed: number }>(
    `SELECT (SELECT count(*) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid())::integer AS connections,
            (SELECT count(*) FROM payments.payment_requests WHERE confirmed_at IS NOT NULL)::integer AS completed`,
  );
  const tables = await sandbox.query<TableSize & { name: string }>(
    `SELECT schemaname || '.' || relname AS name, n_live_tup::integer AS rows,
            pg_total_relation_size(relid)::float8 AS bytes FROM pg_stat_user_tables`,
  );
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    ...counted!,
    processorMs: [cpuMs(api!), cpuMs(worker!), sum(sessions.map((pid) => cpuMs(pid, pid === postgres)))],
    ...{ api: mebibytes(api!, 'Rss'), worker: mebibytes(worker!, 'Rss') },
    postgres: sum(sessions.map((pid) => mebibytes(pid, 'Pss'))),
    tables: new Map(tables.map(({ name, ...size }) => [name, size])),
  };
}

/** Linux. @param share `Pss` divides what processes share among them */
function mebibytes(pid: number, share: 'Rss' | 'Pss'): number {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(new RegExp(`^${share}:\\s+(\\d+) kB`, 'm').exec(rollup)![1]) / 1024;
  } catch {
    // A session that has just ended.
    return 0;
  }
}
