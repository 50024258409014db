import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { stateConflict } from '#shared/kernel/domain-error.js';
import { formatSigningKeys, parseSigningKeys } from './parse-signing-keys.js';
import type { SigningKeyLists } from './signing-keys.js';

const OWNER_ONLY_MODE = 0o600;

export function readSigningKeysFile(path: string): SigningKeyLists {
  return existsSync(path) ? parseSigningKeys(readFileSync(path, 'utf8'), true) : { token: [], naspip: [] };
}

/**
 * Atomic; preserves mode and owner. The temporary file also locks out concurrent changes. @throws DomainError if
 * another change is in progress
 */
export function changeSigningKeys(path: string, change: (keys: SigningKeyLists) => SigningKeyLists): void {
  // Replaces the target of a symbolic link, not the link itself.
  const target = existsSync(path) ? realpathSync(path) : path;
  const beside = `${target}.new`;
  const descriptor = openTemporaryFile(beside);
  try {
    try {
      const text = formatSigningKeys(change(readSigningKeysFile(target)));
      if (existsSync(target)) {
        const { mode, uid, gid } = statSync(target);
        if (process.getuid?.() !== uid || process.getgid?.() !== gid) fchownSync(descriptor, uid, gid);
        fchmodSync(descriptor, mode & 0o777);
      }
      writeSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(beside, target);
  } catch (error) {
    unlinkSync(beside);
    throw error;
  }
  syncFolder(dirname(target));
}

function openTemporaryFile(path: string): number {
  try {
    return openSync(path, 'wx', OWNER_ONLY_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw stateConflict(
      `${path} exists: another command is changing the keys or was interrupted. If it was interrupted, remove the file.`,
    );
  }
}

/** The new name must survive a power failure. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
