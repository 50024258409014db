import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';

/** The message is for the person at the terminal. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

export interface UnixUser {
  uid: number;
  gid: number;
}

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface RunningChild {
  readonly pid: number;
  readonly exit: Promise<ChildExit>;
  hasExited(): boolean;
  /** Calls back when the process ends without `end`. */
  onExit(callback: ((exit: ChildExit) => void) | undefined): void;
  /** Sends `signal`, then SIGKILL after `graceMs` milliseconds, and waits for the exit. */
  end(signal: NodeJS.Signals, graceMs?: number): Promise<void>;
}

interface ChildOptions {
  command: string;
  args: string[];
  /** The signal that the kernel sends to the child when this process ends, even by SIGKILL. */
  deathSignal: 'SIGINT' | 'SIGKILL';
  /** Only root can set another user. */
  user?: UnixUser | undefined;
  /** Receives stdout and stderr. This process opens the file, so the child's user needs no access. */
  logFile?: string | undefined;
  /** The complete environment of the child (default: this process's). */
  env?: Readonly<Record<string, string>> | undefined;
  /** Receives the child's IPC messages, all of them before its exit is reported. */
  onMessage?: (message: unknown) => void;
}

/**
 * Spawns a server that ends with this process. Without util-linux's setpriv (macOS, Windows), it survives a SIGKILL
 * of this process.
 * @throws the operating system's error
 */
export async function spawnChild(options: ChildOptions): Promise<RunningChild> {
  const tied = await supportsParentDeathSignal();
  const signalName = options.deathSignal.slice('SIG'.length);
  const [command, args] = tied
    ? ['setpriv', ['--pdeathsig', signalName, '--', options.command, ...options.args]]
    : [options.command, options.args];
  const log = options.logFile === undefined ? 'ignore' : openSync(options.logFile, 'a', 0o600);
  const child = spawn(command, args, {
    ...options.user,
    ...(options.env && { env: options.env }),
    cwd: '/',
    // A separate session, so that Ctrl-C reaches only this process, which then stops the servers in order.
    detached: true,
    stdio: ['ignore', log, log, ...(options.onMessage ? (['ipc'] as const) : [])],
  });
  if (options.onMessage !== undefined) child.on('message', options.onMessage);
  if (typeof log === 'number') closeSync(log);

  const killWithParent = () => void child.kill(options.deathSignal);
  let exited = false;
  let isEnding = false;
  const exit = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => {
      const over = () => {
        exited = true;
        process.off('exit', killWithParent);
        resolve({ code, signal });
      };
      // The last messages may still be in transit.
      if (child.connected) child.once('disconnect', over);
      else over();
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  process.on('exit', killWithParent);

  return {
    pid: child.pid as number,
    exit,
    hasExited: () => exited,
    onExit: (callback) => void exit.then((ended) => isEnding || callback?.(ended)),
    async end(signal, graceMs = 10_000) {
      isEnding = true;
      if (!exited) child.kill(signal);
      const harder = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await exit;
      clearTimeout(harder);
    },
  };
}

let parentDeathSignalSupport: Promise<boolean> | undefined;

/** Returns whether children end with this process even after SIGKILL. BusyBox's setpriv lacks the option. */
export function supportsParentDeathSignal(): Promise<boolean> {
  parentDeathSignalSupport ??= promisify(execFile)('setpriv', ['--help']).then(
    ({ stdout }) => stdout.includes('--pdeathsig'),
    () => false,
  );
  return parentDeathSignalSupport;
}

/** Polls until `condition` returns true. Returns false after `timeoutMs` milliseconds. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { timeoutMs, everyMs = 20 }: { timeoutMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() >= deadline) return false;
    await pause(everyMs);
  }
  return true;
}
