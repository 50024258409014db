// A lock file between npm commands: two of them on a fresh clone would both install into the same folder.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

const LOOK_EVERY_MS = 300;
/** No installation takes this long: by then the number of the process may belong to another program. */
const STALE_AFTER_MS = 15 * 60_000;

/** Runs `work` once no other process holds the lock file, and prints that it waits. */
export function exclusively(file, work) {
  let isAnnounced = false;
  while (!tryLock(file)) {
    if (isStale(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!isAnnounced) process.stderr.write('Another npm command is preparing this clone: waiting for it …\n');
    isAnnounced = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
  }
  const release = () => rmSync(file, { force: true });
  process.once('exit', release);
  try {
    work();
  } finally {
    release();
    process.off('exit', release);
  }
}

function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale(file) {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const pid = Number(readFileSync(file, 'utf8'));
    // The file is empty for a moment before the number is written.
    if (pid === 0) return age > LOOK_EVERY_MS * 10;
    // In a container a process often has the same number as the one that was killed before it.
    return age > STALE_AFTER_MS || pid === process.pid || !isAlive(pid);
  } catch {
    return false;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
