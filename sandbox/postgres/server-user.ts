import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { UnixUser } from '../processes/child-process.js';

const NOBODY: UnixUser = { uid: 65534, gid: 65534 };

/**
 * PostgreSQL refuses to run as root, so root runs it as the owner of the data folder, initially nobody. Undefined: as
 * the current user.
 */
export function serverUser(dataDirectory: string): UnixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (!existsSync(dataDirectory)) return NOBODY;
  const { uid, gid } = statSync(dataDirectory);
  return uid === 0 ? NOBODY : { uid, gid };
}

/** Checks the mode bits of the folder and all its parents. */
export function canTraverse(path: string, user: UnixUser): boolean {
  let folder = realpathSync(path);
  for (;;) {
    const { mode, uid, gid } = statSync(folder);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & bit) === 0) return false;
    if (dirname(folder) === folder) return true;
    folder = dirname(folder);
  }
}
