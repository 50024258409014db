import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { fastFolder } from '../../support/fast-folder.js';
import type { RunOrder, RunReport } from './asked-run.js';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { SimulatedDatabase } from '../process/simulated-database.js';

const BEGIN = '2031-01-01T00:00:00Z';
const SIMULATION = join(import.meta.dirname, '..');

/** A run is asked for by these; the rest of its order is its own, or the same for all. */
export type Asked = Omit<RunOrder, 'begin' | 'databaseUrl' | 'folder'>;

export class KilledFromOutside extends Error {}

interface Server {
  readonly copies: DatabaseCopies;
  stop(): Promise<void>;
}

/**
 * Runs in processes of their own. Each that is under way has a server for itself: PostgreSQL numbers the transactions of all databases of
 * a server together, so an open one of another run would delay what subscribers read.
 */
export class Runs {
  private readonly free: DatabaseCopies[];

  private constructor(
    readonly folder: string,
    private readonly servers: readonly Server[],
  ) {
    this.free = servers.map(({ copies }) => copies);
  }

  /** @param root the folder with the release whose migrations the databases have @param atOnce how many runs may be under way */
  static async open(root: string, atOnce = 1): Promise<Runs> {
    const folder = mkdtempSync(join(fastFolder(), 'simulation-'));
    chmodSync(folder, 0o755);
    const servers: Server[] = [];
    try {
      for (let number = 1; number <= atOnce; number += 1)
        servers.push(await startServer(join(folder, `data-${number}`), root));
      return new Runs(folder, servers);
    } catch (error) {
      await new Runs(folder, servers).close();
      throw error;
    }
  }

  /** @throws where the process of the run ends without a report: `KilledFromOutside` where that is not its own doing */
  async run(asked: Asked, environment: Readonly<Record<string, string>> = {}): Promise<RunReport> {
    const copies = this.free.pop();
    if (copies === undefined) throw new Error('Every server has a run already.');
    const copy = await copies.take();
    const folder = mkdtempSync(join(this.folder, 'run-'));
    try {
      return await performed({ ...asked, begin: BEGIN, databaseUrl: copy.url, folder }, environment);
    } finally {
      await copy.drop();
      rmSync(folder, { recursive: true, force: true });
      this.free.push(copies);
    }
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function startServer(dataDirectory: string, root: string): Promise<Server> {
  const postgres = await startEmbeddedPostgres({
    dataDirectory,
    port: await freePort(),
    durable: false,
    throughSocket: true,
  });
  const stop = async () => {
    await postgres.stop();
    removeEmbeddedPostgres(dataDirectory);
  };
  try {
    return { copies: await DatabaseCopies.prepare(postgres.url('postgres'), BEGIN, root), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function performed(order: RunOrder, environment: Readonly<Record<string, string>>): Promise<RunReport> {
  const child = fork(join(SIMULATION, 'run-seed.ts'), [JSON.stringify(order)], {
    env: { ...process.env, ...environment },
    execArgv: ['--import', join(SIMULATION, 'process/loader.mjs'), '--disable-warning=ExperimentalWarning'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    if (signal !== null)
      throw new KilledFromOutside(`The run of seed ${order.seed} was ended by ${String(signal)}.`);
    throw new Error(`The run of seed ${order.seed} ended with status ${String(code)}.`);
  });
  const [report] = (await Promise.race([once(child, 'message'), ended])) as [RunReport];
  // Its connections would be in the way of dropping the database.
  child.kill('SIGKILL');
  await ended.catch(() => undefined);
  return report;
}

const TEMPLATE = 'simulation_template';

export class DatabaseCopies {
  private taken = 0;

  private constructor(private readonly serverUrl: string) {}

  /** @param root the folder with the release whose migrations it has */
  static async prepare(serverUrl: string, begin: string, root: string): Promise<DatabaseCopies> {
    await onServer(serverUrl, 'ALTER SYSTEM SET autovacuum = off');
    await onServer(serverUrl, 'SELECT pg_reload_conf()');
    await onServer(serverUrl, `CREATE DATABASE ${TEMPLATE}`);
    const url = databaseOn(serverUrl, TEMPLATE);
    await SimulatedDatabase.prepare(url, Date.parse(begin));
    const { migrate } = (await import(pathToFileURL(join(root, 'src/app/migrate.ts')).href)) as {
      migrate(databaseUrl: string): Promise<void>;
    };
    await migrate(url);
    return new DatabaseCopies(serverUrl);
  }

  async take(): Promise<{ readonly url: string; drop(): Promise<void> }> {
    const name = `simulation_${(this.taken += 1)}`;
    await onServer(this.serverUrl, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
    return {
      url: databaseOn(this.serverUrl, name),
      drop: () => onServer(this.serverUrl, `DROP DATABASE ${name} WITH (FORCE)`),
    };
  }
}

function databaseOn(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
