import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrate } from '#app/migrate.js';
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { eventually } from './eventually.js';
import { fastFolder } from './fast-folder.js';
import { copyAsStandby } from './server-copy.js';

const TEMPLATE = 'template_migrated';

/** Two servers of PostgreSQL: a primary with a migrated database to copy, and a streaming standby. */
export class ReplicatedPostgres {
  private constructor(
    private readonly folder: string,
    readonly primary: EmbeddedPostgres,
    public standby: EmbeddedPostgres,
  ) {}

  static async start(): Promise<ReplicatedPostgres> {
    const folder = mkdtempSync(join(fastFolder(), 'replicated-'));
    chmodSync(folder, 0o755);
    const dataDirectory = join(folder, 'primary');
    const primary = await startEmbeddedPostgres({ dataDirectory, port: await freePort(), durable: false });
    await asked(primary.url('postgres'), `CREATE DATABASE ${TEMPLATE}`);
    await migrate(primary.url(TEMPLATE));
    const standby = await standbyOf(primary, folder);
    return new ReplicatedPostgres(folder, primary, standby);
  }

  /** Makes `createTestDatabase` create its databases here. @returns what undoes that */
  serveTestDatabases(): () => void {
    const before = [process.env['TEST_SERVER_URL'], process.env['TEST_TEMPLATE']];
    [process.env['TEST_SERVER_URL'], process.env['TEST_TEMPLATE']] = [this.primary.url('postgres'), TEMPLATE];
    return () => void ([process.env['TEST_SERVER_URL'], process.env['TEST_TEMPLATE']] = before);
  }

  replicaUrl(url: string): string {
    return this.standby.url(new URL(url).pathname.slice(1));
  }

  onStandby(text: string): Promise<Record<string, unknown>[]> {
    return asked(this.standby.url('postgres'), text);
  }

  /** Until the standby has replayed all that is committed by now, flushed or not. */
  async replayed(): Promise<void> {
    const [row] = await asked(
      this.primary.url('postgres'),
      'SELECT pg_current_wal_insert_lsn()::text AS position',
    );
    await eventually(
      () => this.onStandby(`SELECT pg_last_wal_replay_lsn() >= '${String(row!['position'])}' AS is_there`),
      ([answer]) => answer!['is_there'] === true,
    );
  }

  async stop(): Promise<void> {
    await this.standby.kill();
    await this.primary.kill();
    for (const name of ['standby', 'primary']) removeEmbeddedPostgres(join(this.folder, name));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function standbyOf(primary: EmbeddedPostgres, folder: string): Promise<EmbeddedPostgres> {
  const [data, copy] = [join(folder, 'primary'), join(folder, 'standby')];
  await copyAsStandby(primary.url('postgres'), data, copy, {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=postgres`,
    // Its statements give way to replaying at once, so that a test need not wait for a conflict.
    max_standby_streaming_delay: '0',
  });
  return startEmbeddedPostgres({ dataDirectory: copy, port: await freePort(), durable: false });
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
