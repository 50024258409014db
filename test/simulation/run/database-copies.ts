import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { SimulatedDatabase } from '../process/simulated-database.js';

const TEMPLATE = 'simulation_template';

/** Copies of one migrated database on a server, for one run each. */
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
