// One at a time: two npm commands on a fresh clone would both install into the same folder.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

const LOOK_EVERY_MS = 300;
/** A process number may belong to another program since; no installation takes this long. */
const STALE_AFTER_MS = 15 * 60_000;

/** Runs `work` when no other process does under the same lock file, waiting for it and saying so. */
export function exclusively(file, work) {
  let hasAnnounced = false;
  while (!take(file)) {
    if (isStale(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!hasAnnounced)
      process.stderr.write('Another npm command is preparing this clone: waiting for it …\n');
    hasAnnounced = true;
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

function take(file) {
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
    // Empty for the moment between its making and its writing.
    if (pid === 0) return age > LOOK_EVERY_MS * 10;
    // In a container a process often gets the number of the one that was killed before it.
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
