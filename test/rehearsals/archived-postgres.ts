import { chownSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { chown, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { allGone, childrenOf } from '../support/sandbox-programs.js';
import { eventually } from '../support/eventually.js';

/** Files of a running server that no backup holds: its process, and the log that the archive has. */
export const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal']);

/** A PostgreSQL whose write-ahead log is archived, with physical base backups. */
export class ArchivedPostgres {
  private readonly data: string;
  private readonly archive: string;
  private server: EmbeddedPostgres | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {
    this.data = join(folder, 'postgres');
    this.archive = join(folder, 'archive');
  }

  /** @param folder one that any user can enter, as the server does not run as root */
  static async start(folder: string): Promise<ArchivedPostgres> {
    const postgres = new ArchivedPostgres(folder, await freePort());
    await postgres.run();
    await postgres.query('CREATE DATABASE payments');
    const { uid, gid } = statSync(postgres.data);
    mkdirSync(postgres.archive);
    chownSync(postgres.archive, uid, gid);
    await postgres.query(`ALTER SYSTEM SET archive_mode = on`);
    // A finished file appears by a rename, and none is ever written over.
    const copy = `test ! -f ${postgres.archive}/%f && cp %p ${postgres.archive}/%f.new && mv ${postgres.archive}/%f.new ${postgres.archive}/%f`;
    await postgres.query(`ALTER SYSTEM SET archive_command = '${copy}'`);
    await postgres.server!.stop();
    await postgres.run();
    return postgres;
  }

  get url(): string {
    return this.server!.url('payments');
  }

  /** The superuser asks this. */
  async query<Row extends object>(text: string, database = 'postgres'): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.server!.url(database) });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Copies the running server by `pg_basebackup`. @returns its folder */
  async baseBackup(): Promise<string> {
    const backup = join(this.folder, `backup-${Date.now()}`);
    const client = new pg.Client({ connectionString: this.server!.url('postgres') });
    await client.connect();
    try {
      await client.query(`SELECT pg_backup_start('rehearsal', true)`);
      await copyFolder(this.data, backup, LEFT_OUT);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
      await writeFile(join(backup, 'backup_label'), rows[0]!.labelfile);
    } finally {
      await client.end();
    }
    return backup;
  }

  /** Until everything that was committed is in the archive. */
  async archived(): Promise<void> {
    const [row] = await this.query<{ file: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS file');
    await eventually(() => existsSync(join(this.archive, row!.file)));
  }

  /** SIGKILL, and its disk is gone. */
  async destroy(): Promise<void> {
    const sessions = childrenOf(this.server!.pid).map(({ pid }) => pid);
    await this.server!.kill();
    if (!(await allGone(sessions, 30_000))) throw new Error('A session outlived the killed server.');
    rmSync(this.data, { recursive: true });
  }

  /**
   * A server from a base backup and the archive.
   * @param until the moment after which nothing is restored, as PostgreSQL writes times; all of the archive unless given
   */
  async restore(backup: string, until?: string): Promise<void> {
    await copyFolder(backup, this.data);
    const { uid, gid } = statSync(backup);
    mkdirSync(join(this.data, 'pg_wal'), { mode: 0o700 });
    chownSync(join(this.data, 'pg_wal'), uid, gid);
    const settings = [
      `restore_command = 'cp ${this.archive}/%f %p'`,
      ...(until === undefined ? [] : [`recovery_target_time = '${until}'`]),
      `recovery_target_action = 'promote'`,
    ];
    await writeFile(join(this.data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`, { flag: 'a' });
    await writeFile(join(this.data, 'recovery.signal'), '');
    chownSync(join(this.data, 'recovery.signal'), uid, gid);
    await this.run();
    await eventually(async () => {
      const [row] = await this.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering');
      return !row!.recovering;
    });
  }

  async remove(): Promise<void> {
    await this.server?.stop();
    removeEmbeddedPostgres(this.data);
  }

  private async run(): Promise<void> {
    const { data: dataDirectory, port } = this;
    this.server = await startEmbeddedPostgres({ dataDirectory, port, durable: true });
  }
}

/** With owners. What vanishes meanwhile is left out: the restored server gets it from the log. */
export async function copyFolder(from: string, to: string, leftOut?: ReadonlySet<string>): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const { uid, gid } = await stat(from);
  await chown(to, uid, gid);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut?.has(entry.name)) continue;
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    try {
      if (entry.isDirectory()) await copyFolder(source, copy);
      else await copyFile(source, copy).then(() => chown(copy, uid, gid));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
