import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '#app/migrate.js';
import {
  type EmbeddedPostgres,
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { eventually } from './eventually.js';
import { fastFolder } from './fast-folder.js';
import { copyAsStandby } from './server-copy.js';

const DATABASE = 'payments';

/** Two PostgreSQL servers: a primary (0) and its streaming standby (1), which can be promoted. */
export class DatabasePair {
  private readonly folder = mkdtempSync(join(fastFolder(), 'database-pair-'));
  private readonly ports: number[] = [];
  private readonly running = new Map<number, EmbeddedPostgres>();

  private constructor() {
    chmodSync(this.folder, 0o755);
  }

  /** Starts only the primary, with an empty database `payments`. */
  static async start(): Promise<DatabasePair> {
    const pair = new DatabasePair();
    pair.ports.push(await freePort(), await freePort());
    await pair.startServer(0);
    await pair.sql(0, `CREATE DATABASE ${DATABASE}`, 'postgres');
    // Test servers are started with it off.
    await pair.sql(0, `ALTER DATABASE ${DATABASE} SET synchronous_commit = on`, 'postgres');
    return pair;
  }

  /** Starts both servers, whose database `payments` is a template for test databases. */
  static async startMigrated(): Promise<DatabasePair> {
    const pair = await DatabasePair.start();
    await migrate(pair.url([0]));
    // Statements on the standby give way to replaying immediately, so that a test need not wait for a conflict.
    await pair.addStandby({ max_standby_streaming_delay: '0' });
    return pair;
  }

  async addStandby(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await copyAsStandby(this.running.get(0)!.url('postgres'), this.data(0), this.data(1), {
      primary_conninfo: `host=127.0.0.1 port=${this.ports[0]} user=postgres`,
      ...settings,
    });
    await this.startServer(1);
    await this.caughtUp();
  }

  /** Makes `createTestDatabase` create its databases on the primary. @returns a function that undoes it */
  serveTestDatabases(): () => void {
    const before = [process.env['TEST_SERVER_URL'], process.env['TEST_TEMPLATE']];
    const own = [this.running.get(0)!.url('postgres'), DATABASE];
    [process.env['TEST_SERVER_URL'], process.env['TEST_TEMPLATE']] = own;
    return () => void ([process.env['TEST_SERVER_URL'], process.env['TEST_TEMPLATE']] = before);
  }

  url(hosts: readonly number[] = [0, 1]): string {
    const named = hosts.map((host) => `127.0.0.1:${this.ports[host]}`);
    return `postgres://postgres:any@${named.join(',')}/${DATABASE}`;
  }

  /** @param url of the same database on the primary */
  replicaUrl(url: string): string {
    return this.running.get(1)!.url(new URL(url).pathname.slice(1));
  }

  /** Waits until the standby has replayed everything committed so far, flushed or not. */
  async caughtUp(): Promise<void> {
    const [row] = await this.sql(0, 'SELECT pg_current_wal_insert_lsn()::text AS at', 'postgres');
    const replayed = `SELECT pg_last_wal_replay_lsn() >= '${String(row!['at'])}' AS is_there`;
    await eventually(async () => (await this.onStandby(replayed))[0]!['is_there'] === true);
  }

  /** Disconnects the standby: later commits are only on the primary. */
  async partStandby(): Promise<void> {
    await this.sql(1, `ALTER SYSTEM SET primary_conninfo = ''`);
    await this.sql(1, 'SELECT pg_reload_conf()');
    await eventually(async () => (await this.sql(0, 'SELECT FROM pg_stat_replication')).length === 0);
  }

  kill(host: number): Promise<void> {
    return this.running.get(host)!.kill();
  }

  async startServer(host: number): Promise<void> {
    const options = { dataDirectory: this.data(host), port: this.ports[host]!, durable: false };
    this.running.set(host, await startEmbeddedPostgres(options));
  }

  async promote(): Promise<void> {
    await this.sql(1, 'SELECT pg_promote(true, 60)');
  }

  sql(host: number, text: string, database = DATABASE): Promise<Record<string, unknown>[]> {
    return asked(this.running.get(host)!.url(database), text);
  }

  onStandby(text: string): Promise<Record<string, unknown>[]> {
    return this.sql(1, text, 'postgres');
  }

  async close(): Promise<void> {
    for (const [host, server] of this.running) {
      await server.kill();
      removeEmbeddedPostgres(this.data(host));
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private data(host: number): string {
    return join(this.folder, `data-${host}`);
  }
}

export async function asked(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
