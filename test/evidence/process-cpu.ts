import { readFileSync } from 'node:fs';

/** A tick of proc(5)'s times, in milliseconds. */
const TICK_MS = 10;

/** Processor time of all threads of a process since it began, in milliseconds; 0 once it has ended. */
export function cpuMs(pid: number): number {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return 0;
  }
  // The command's name, in brackets, may hold spaces. Fields 14 and 15: time in user mode and in the kernel.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
