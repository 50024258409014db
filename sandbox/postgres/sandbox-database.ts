import pg from 'pg';
import { SANDBOX_CLUSTER_NAME } from '#shared/platform/clock/sandbox-cluster.js';
import { CannotStart } from '../processes/child-process.js';
import { startEmbeddedPostgres } from './embedded-postgres.js';
import { RestartedProcess } from '../processes/restarted-process.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';

const DATABASE = 'payments';
const DUPLICATE_DATABASE = '42P04';

/**
 * Starts the embedded PostgreSQL with the service's database, and restarts it whenever it ends.
 * @throws CannotStart
 */
export async function startSandboxDatabase(
  options: { dataDirectory: string; port: number; portSetting: string },
  output: TerminalOutput,
): Promise<{ url: string; server: RestartedProcess }> {
  let urlOf: ((database: string) => string) | undefined;
  const server = await RestartedProcess.start(
    'PostgreSQL',
    async (onExit) => {
      const postgres = await startEmbeddedPostgres({
        ...options,
        durable: true,
        // Outside development, the service rejects a database with this cluster name.
        clusterName: SANDBOX_CLUSTER_NAME,
        onExit,
      });
      urlOf = postgres.url;
      return postgres;
    },
    output,
  );
  await createDatabase(urlOf!('postgres')).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return { url: urlOf!(DATABASE), server };
}

/**
 * Checks the user's own database before anything is started.
 * @throws CannotStart
 */
export async function requireDatabase(url: string): Promise<void> {
  await connected(url, () => Promise.resolve()).catch((error: Error) => {
    throw new CannotStart(
      `The database of DATABASE_URL cannot be used (${error.message || error.name}). ` +
        'Correct DATABASE_URL, or unset it to have an embedded PostgreSQL.',
    );
  });
}

async function createDatabase(url: string): Promise<void> {
  await connected(url, (client) => client.query(`CREATE DATABASE ${DATABASE}`)).catch(
    (error: { code?: string }) => {
      if (error.code !== DUPLICATE_DATABASE) throw error;
    },
  );
}

async function connected(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
