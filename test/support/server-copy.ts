import { chown, copyFile, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/** Files of a running server that no backup holds: its process, and the log that the archive or the server itself has. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal']);

/** Makes a base backup of a running server by PostgreSQL's low-level API, which needs no program beside the server. */
export async function copyServer(url: string, data: string, backup: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('copy', true)`);
    await copyFolder(data, backup, LEFT_OUT);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
    await writeFile(join(backup, 'backup_label'), rows[0]!.labelfile);
  } finally {
    await client.end();
  }
}

/**
 * Copies a running server as its streaming standby, which begins as soon as it is started.
 * @param settings of the standby, beside those that it copies
 */
export async function copyAsStandby(
  url: string,
  data: string,
  standby: string,
  settings: Readonly<{ primary_conninfo: string } & Record<string, string>>,
): Promise<void> {
  await copyServer(url, data, standby);
  await copyFile(`${data}.password`, `${standby}.password`);
  const { uid, gid } = await stat(data);
  await mkdir(join(standby, 'pg_wal'), { mode: 0o700 });
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(join(standby, 'postgresql.auto.conf'), lines.join(''), { flag: 'a' });
  await writeFile(join(standby, 'standby.signal'), '');
  // Servers do not run as root.
  for (const name of ['pg_wal', 'postgresql.auto.conf', 'standby.signal', 'backup_label'])
    await chown(join(standby, name), uid, gid);
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
