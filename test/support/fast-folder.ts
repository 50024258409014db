import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** Bytes. */
const ROOM = 4 * 2 ** 30;

/** For databases that nobody keeps: in memory where there is room, where their files are made some thirty times faster. */
export function fastFolder(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= ROOM) return IN_MEMORY;
  } catch {
    // Not every system has it.
  }
  return tmpdir();
}
