import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { allGone, childrenOf, killAll } from '../../support/sandbox-programs.js';
import { eventually } from '../../support/eventually.js';
import { copyAsStandby } from '../../support/server-copy.js';

type Name = 'alpha' | 'beta';

/** One server of the pair. */
export class PostgresServer {
  private server: EmbeddedPostgres | undefined;

  constructor(
    readonly name: Name,
    readonly data: string,
    readonly port: number,
  ) {}

  async run(): Promise<void> {
    const { data: dataDirectory, port } = this;
    this.server = await startEmbeddedPostgres({ dataDirectory, port, durable: true });
  }

  url(database: string): string {
    return this.server!.url(database);
  }

  /** Each statement by itself, as the superuser. @returns the rows of the last one */
  async query<Row extends object>(...statements: string[]): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url('payments') });
    client.on('error', () => undefined);
    await client.connect();
    try {
      let rows: Row[] = [];
      for (const statement of statements) ({ rows } = await client.query<Row>(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  async set(settings: Readonly<Record<string, string>>): Promise<void> {
    const changes = Object.entries(settings).map(([name, value]) => `ALTER SYSTEM SET ${name} = '${value}'`);
    await this.query(...changes, 'SELECT pg_reload_conf()');
  }

  /** SIGKILL to the server and to all of its sessions: none of them answers anybody after that. */
  async kill(): Promise<void> {
    const sessions = childrenOf(this.server!.pid).map(({ pid }) => pid);
    const killed = this.server!.kill();
    killAll(sessions);
    await killed;
    if (!(await allGone(sessions, 30_000))) throw new Error('A session outlived the killed server.');
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }
}

/** A primary and its streaming standby. */
export class ReplicatedPostgres {
  private constructor(
    public primary: PostgresServer,
    public standby: PostgresServer,
  ) {}

  /** @param folder one that any user can enter, as servers do not run as root */
  static async start(folder: string): Promise<ReplicatedPostgres> {
    const primary = new PostgresServer('alpha', join(folder, 'alpha'), await freePort());
    await primary.run();
    const admin = new pg.Client({ connectionString: primary.url('postgres') });
    await admin.connect();
    await admin.query('CREATE DATABASE payments');
    await admin.end();
    // Nothing archives the log: the standby asks the primary for all of it.
    await primary.set({ wal_keep_size: '1GB', wal_sender_timeout: '10s', wal_receiver_timeout: '10s' });
    const standby = new PostgresServer('beta', join(folder, 'beta'), await freePort());
    const pair = new ReplicatedPostgres(primary, standby);
    await pair.rebuild();
    return pair;
  }

  /** Commits wait for the standby from now on. */
  async synchronous(): Promise<void> {
    await this.primary.set({ synchronous_standby_names: `ANY 1 ("${this.standby.name}")` });
    const state = () =>
      this.primary.query<{ sync_state: string }>('SELECT sync_state FROM pg_stat_replication');
    await eventually(state, (rows) => rows.some(({ sync_state }) => sync_state === 'quorum'), 120_000);
  }

  /** Makes the standby anew from the primary's files, as `pg_basebackup` does, and starts it. */
  async rebuild(): Promise<void> {
    const { primary, standby } = this;
    rmSync(standby.data, { recursive: true, force: true });
    const way = new URL(primary.url('postgres'));
    const source = `host=127.0.0.1 port=${primary.port} user=${way.username} password=${way.password}`;
    await copyAsStandby(primary.url('postgres'), primary.data, standby.data, {
      primary_conninfo: `${source} application_name=${standby.name}`,
      synchronous_standby_names: '',
    });
    await standby.run();
    await eventually(
      () => primary.query('SELECT FROM pg_stat_replication'),
      ({ length }) => length > 0,
    );
  }

  /** The standby takes over, without a standby of its own. The former primary is `standby` then, whether it runs or not. */
  async promote(): Promise<void> {
    const [former, next] = [this.primary, this.standby];
    // A statement that waited for the end of recovery would hold a snapshot, and be cancelled by the log that is still applied.
    await next.query('SELECT pg_promote(false)');
    await eventually(
      () => next.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby'),
      ([row]) => row?.standby === false,
      60_000,
    );
    [this.primary, this.standby] = [next, former];
  }

  async remove(): Promise<void> {
    for (const node of [this.standby, this.primary]) {
      await node.stop();
      removeEmbeddedPostgres(node.data);
    }
  }
}
