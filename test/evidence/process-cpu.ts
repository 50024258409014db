import { readFileSync } from 'node:fs';

/** A tick of proc(5)'s times, in milliseconds. */
const TICK_MS = 10;

/**
 * Processor time of all threads of a process since it began, in milliseconds; 0 once it has ended.
 * @param withEnded also of its children that have ended
 */
export function cpuMs(pid: number, withEnded = false): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // The command's name, in brackets, may hold spaces. Fields 14 and 15: time in user mode and in the kernel; 16 and 17: the
  // same of children that were waited for.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, withEnded ? 15 : 13).reduce((sum, each) => sum + Number(each), 0);
  return ticks * TICK_MS;
}
