import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CannotStart, type UnixUser } from '../processes/child-process.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { canTraverse } from './server-user.js';

interface DataPreparation {
  dataDirectory: string;
  binaries: PostgresBinaries;
  user: UnixUser | undefined;
  durable: boolean;
}

const SUPERUSER = 'postgres';
const ELSEWHERE = 'payment-collection-sandbox-';

/**
 * Creates the data folder on first use. The folder appears by a rename, so a crash leaves no partial folder.
 * @returns its real path
 * @throws CannotStart if the folder belongs to another user or major version, or contains other files
 */
export async function prepareData(options: DataPreparation): Promise<string> {
  const { dataDirectory, binaries, user } = options;
  if (existsSync(dataDirectory) && readdirSync(dataDirectory).length > 0) {
    requireReadable(dataDirectory, binaries.major);
    return realpathSync(dataDirectory);
  }
  rmSync(dataDirectory, { recursive: true, force: true });
  mkdirSync(dirname(dataDirectory), { recursive: true });
  const home = user && !canTraverse(dirname(dataDirectory), user) ? folderElsewhere(user) : undefined;
  const real = home === undefined ? dataDirectory : join(home, 'data');
  await initialise({ ...options, dataDirectory: real }, passwordFile(dataDirectory));
  if (home !== undefined) symlinkSync(real, dataDirectory);
  return real;
}

export function readPassword(dataDirectory: string): string {
  const file = passwordFile(dataDirectory);
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  throw new CannotStart(
    `The database's password file ${file} is missing. Restore the file, or reset the sandbox to start ` +
      'with an empty database.',
  );
}

/** Includes data that had to be stored outside the project folder. */
export function removeData(dataDirectory: string): void {
  if (existsSync(dataDirectory) && lstatSync(dataDirectory).isSymbolicLink()) {
    const home = dirname(realpathSync(dataDirectory));
    if (basename(home).startsWith(ELSEWHERE)) rmSync(home, { recursive: true, force: true });
  }
  for (const path of [
    dataDirectory,
    passwordFile(dataDirectory),
    `${dataDirectory}.log`,
    ownerFile(dataDirectory),
  ]) {
    rmSync(path, { recursive: true, force: true });
  }
}

/** The file with the process id of the server's parent. */
export function ownerFile(dataDirectory: string): string {
  return `${dataDirectory}.owner`;
}

function passwordFile(dataDirectory: string): string {
  return `${dataDirectory}.password`;
}

function requireReadable(dataDirectory: string, major: number): void {
  const owner = statSync(dataDirectory).uid;
  const me = process.getuid?.() ?? owner;
  if (me !== 0 && me !== owner) {
    throw new CannotStart(
      `The database folder ${dataDirectory} belongs to another user (uid ${owner}). Start as that user ` +
        'or as root, or choose another folder.',
    );
  }
  const versionFile = join(dataDirectory, 'PG_VERSION');
  if (!existsSync(versionFile)) {
    throw new CannotStart(
      `The folder ${dataDirectory} is not empty and holds no PostgreSQL data. Choose another folder or empty it.`,
    );
  }
  const found = readFileSync(versionFile, 'utf8').trim();
  if (found === String(major)) return;
  throw new CannotStart(
    `The database folder ${dataDirectory} was written by PostgreSQL ${found}, but this release runs ` +
      `PostgreSQL ${major}, which cannot read it. ` +
      `Nothing was changed. To keep the data: 1. start PostgreSQL ${found} on this folder (with the ` +
      'earlier release of this program, or postgres -D); ' +
      `2. run pg_dumpall --clean --if-exists > dump.sql against it and stop it; 3. move the folder away; ` +
      '4. start this release once, so that it makes an empty folder; 5. run psql -d postgres -f dump.sql ' +
      `against it (the password is in ${passwordFile(dataDirectory)}).`,
  );
}

/** For a server started by root: it runs as another user, who cannot enter a private folder. */
function folderElsewhere(user: UnixUser): string {
  for (const base of ['/var/lib', '/var/tmp']) {
    try {
      const home = mkdtempSync(join(base, ELSEWHERE));
      chmodSync(home, 0o755);
      if (canTraverse(home, user)) return home;
      rmSync(home, { recursive: true });
    } catch {
      continue;
    }
  }
  throw new CannotStart(
    'PostgreSQL does not run as root, and no folder was found that another user can reach. ' +
      'Move the project out of the private folder, start as an ordinary user, or set DATABASE_URL to ' +
      'your own PostgreSQL server.',
  );
}

async function initialise(options: DataPreparation, passwordPath: string): Promise<void> {
  const { dataDirectory, binaries, user, durable } = options;
  const draft = `${dataDirectory}.new`;
  const oneTimePassword = `${dataDirectory}.new-password`;
  const password = randomBytes(24).toString('base64url');
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordPath, { force: true });
  writeFileSync(passwordPath, `${password}\n`, { mode: 0o600 });
  rmSync(oneTimePassword, { force: true });
  writeFileSync(oneTimePassword, `${password}\n`, { mode: 0o600 });
  mkdirSync(draft, { mode: 0o700 });
  if (user) for (const path of [draft, oneTimePassword]) chownSync(path, user.uid, user.gid);

  const method = durable ? 'scram-sha-256' : 'trust';
  const args = [`--pgdata=${draft}`, `--username=${SUPERUSER}`, `--pwfile=${oneTimePassword}`];
  args.push(`--auth=${method}`, '--encoding=UTF8', '--locale=C');
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (!durable) args.push('--no-sync');
  await promisify(execFile)(binaries.initdb, args, { ...user, cwd: '/' })
    .catch((error: Error & { stderr?: string }) => {
      rmSync(draft, { recursive: true, force: true });
      throw new CannotStart(
        `PostgreSQL could not create ${dataDirectory}: ${error.stderr ?? error.message}`.trim(),
      );
    })
    .finally(() => rmSync(oneTimePassword, { force: true }));
  renameSync(draft, dataDirectory);
}
