import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { eventually } from '#test/support/eventually.js';
import { fastFolder } from '#test/support/fast-folder.js';
import { copyAsStandby } from '#test/support/server-copy.js';

/** Two PostgreSQL servers: a primary and its streaming standby, which can be promoted. */
export class DatabasePair {
  private readonly folder = mkdtempSync(join(fastFolder(), 'database-pair-'));
  private readonly ports: number[] = [];
  private readonly running = new Map<number, EmbeddedPostgres>();

  private constructor() {
    chmodSync(this.folder, 0o755);
  }

  static async start(): Promise<DatabasePair> {
    const pair = new DatabasePair();
    pair.ports.push(await freePort(), await freePort());
    await pair.startServer(0);
    await pair.sql(0, 'CREATE DATABASE payments', 'postgres');
    // Tests' servers are started with it off.
    await pair.sql(0, 'ALTER DATABASE payments SET synchronous_commit = on', 'postgres');
    return pair;
  }

  async addStandby(): Promise<void> {
    await copyAsStandby(this.running.get(0)!.url('postgres'), this.data(0), this.data(1), {
      primary_conninfo: `host=127.0.0.1 port=${this.ports[0]} user=postgres`,
    });
    await this.startServer(1);
    await this.caughtUp();
  }

  url(hosts: readonly number[] = [0, 1]): string {
    const named = hosts.map((host) => `127.0.0.1:${this.ports[host]}`);
    return `postgres://postgres:any@${named.join(',')}/payments`;
  }

  async caughtUp(): Promise<void> {
    const [row] = await this.sql(0, 'SELECT pg_current_wal_lsn()::text AS at');
    const at = String(row!['at']);
    await eventually(async () => {
      const [standby] = await this.sql(1, `SELECT pg_last_wal_replay_lsn() >= '${at}' AS is_there`);
      return standby!['is_there'] === true;
    });
  }

  /** Parts the standby: commits from now on are on the primary alone. */
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

  async sql(host: number, text: string, database = 'payments'): Promise<Record<string, unknown>[]> {
    const client = await this.connected(host, database);
    return client
      .query<Record<string, unknown>>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  }

  async close(): Promise<void> {
    for (const server of this.running.values()) await server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async connected(host: number, database: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.running.get(host)!.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  private data(host: number): string {
    return join(this.folder, `data-${host}`);
  }
}
