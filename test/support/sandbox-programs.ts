import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { compileCache } from './compile-cache.js';
import { waitUntil } from '#sandbox/processes/child-process.js';

export interface Started {
  readonly process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** The exit status; 128 where a signal has ended it. */
  readonly ended: Promise<number>;
}

export type Run = Started;

export function startedBy(child: ChildProcessByStdio<null, Readable, Readable>): Started {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return {
    process: child,
    stdout: () => Buffer.concat(out).toString(),
    stderr: () => Buffer.concat(err).toString(),
    ended: once(child, 'close').then(([code]) => (code as number | null) ?? 128),
  };
}

const started = new Set<ChildProcess>();

/** Runs one of the built programs behind `npm start`, `demo`, `pay` and `reset`, with nothing but these settings. */
export function run(program: string, settings: Record<string, string>, args: string[] = []): Run {
  const child = spawn(process.execPath, [join(process.cwd(), 'dist', program), ...args], {
    cwd: settings['SANDBOX_DIRECTORY'] === undefined ? '/' : join(settings['SANDBOX_DIRECTORY'], '..'),
    env: { PATH: process.env['PATH'], ...compileCache(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  child.once('close', () => started.delete(child));
  return startedBy(child);
}

/** Ends what a failed test left running; what a sandbox started ends with it. */
export async function endPrograms(): Promise<void> {
  const left = [...started];
  for (const child of left) child.kill('SIGKILL');
  await waitUntil(() => started.size === 0, { timeoutMs: 60_000 });
}

/** @throws Error with what the program printed, when it ended or took too long instead */
export async function untilPrinted(program: Started, words: string, timeoutMs = 90_000): Promise<void> {
  const printed = () => program.stdout() + program.stderr();
  const isOver = () => printed().includes(words) || program.process.exitCode !== null;
  await waitUntil(isOver, { timeoutMs, everyMs: 50 });
  if (!printed().includes(words)) throw new Error(`"${words}" was not printed, but:\n${printed()}`);
}

/** Linux. @returns the numbers of the processes that `pid` started, with their command lines */
export function childrenOf(pid: number): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return Number(parent) === pid && state !== 'Z' ? [{ pid: Number(name), command }] : [];
      } catch {
        return [];
      }
    });
}

export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

export async function allGone(pids: readonly number[], timeoutMs: number): Promise<boolean> {
  return waitUntil(() => pids.every((pid) => !isRunning(pid)), { timeoutMs, everyMs: 50 });
}

function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) !== 'Z';
  } catch {
    return false;
  }
}
