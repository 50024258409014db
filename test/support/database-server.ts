// The process behind start-database.ts: a PostgreSQL with one migrated database to clone, a pool of clones, what seeds them,
// and a folder for what Node compiles. Sends where they are by IPC, and ends with its parent.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import 'reflect-metadata';
import { migrate } from '#app/migrate.js';
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { fastFolder } from './fast-folder.js';
import { DatabasePool, firstRows } from './database-pool.js';
import { offerDatabases } from './offered-databases.js';
import { offerSeeding } from './seeding.js';

interface Server {
  url: string;
  poolUrl: string;
  end(): Promise<void>;
}

async function server(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, poolUrl: given, end: async () => undefined };
  const folder = mkdtempSync(join(fastFolder(), 'test-database-'));
  chmodSync(folder, 0o755);
  const dataDirectory = join(folder, 'data');
  const options = { dataDirectory, port: await freePort(), durable: false, throughSocket: true };
  const postgres = await startEmbeddedPostgres(options);
  // Its statistics would keep the pool from lending a database again, and change plans under a test. Long measures fill tables.
  if (process.env['EVIDENCE'] !== 'long') {
    await sql(postgres.url('postgres'), 'ALTER SYSTEM SET autovacuum = off');
    await sql(postgres.url('postgres'), 'SELECT pg_reload_conf()');
  }
  const url = new URL(postgres.url('postgres'));
  url.search = '';
  return {
    url: url.href,
    poolUrl: postgres.url('postgres'),
    async end() {
      await postgres.stop();
      removeEmbeddedPostgres(dataDirectory);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function sql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

const { url, poolUrl, end } = await server();
const template = `template_${process.pid}_${Date.now()}`;
const compileCache = mkdtempSync(join(fastFolder(), 'compile-cache-'));
let pool: DatabasePool | undefined;
let ending: Promise<void> | undefined;
const finish = () =>
  (ending ??= (pool?.end() ?? Promise.resolve())
    .then(() => rmSync(compileCache, { recursive: true, force: true }))
    .then(() => sql(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`))
    .catch(() => undefined)
    .then(end)
    .finally(() => process.exit()));
process.once('disconnect', () => void finish());

const templateUrl = new URL(url);
templateUrl.pathname = `/${template}`;
try {
  await sql(url, `CREATE DATABASE ${template}`);
  await migrate(templateUrl.href);
  // Where no subscriber runs, none keeps events waiting; one that runs begins with the log.
  await sql(templateUrl.href, 'DELETE FROM platform.subscriber_positions');
  // As they are for the tests themselves.
  process.env['TEST_SERVER_URL'] = poolUrl;
  process.env['TEST_TEMPLATE'] = template;
  pool = new DatabasePool(await firstRows(templateUrl.href));
  const [databases, seeding] = [await offerDatabases(pool), await offerSeeding()];
  process.send?.({ url, template, databases, seeding, compileCache });
} catch (error) {
  console.error(error);
  process.exitCode = 1;
  await finish();
}
