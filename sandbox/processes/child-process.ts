import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';

/** Why a sandbox part cannot start, as sentences for the person at the terminal. */
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

/** A running server process of the sandbox. */
export interface ServerProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

export interface RunningChild {
  readonly pid: number;
  readonly exit: Promise<ChildExit>;
  hasExited(): boolean;
  /** Calls back when it ends without `end`. */
  onExit(callback: ((exit: ChildExit) => void) | undefined): void;
  /** Sends `signal`, after `graceMs` milliseconds SIGKILL, and waits for the end. */
  end(signal: NodeJS.Signals, graceMs?: number): Promise<void>;
}

interface ChildOptions {
  command: string;
  args: string[];
  /** The kernel sends this signal to the child when this process is gone, even by SIGKILL. */
  deathSignal: 'SIGINT' | 'SIGKILL';
  /** Only root may set another user. */
  user?: UnixUser | undefined;
  /** Takes both outputs, appended. Opened by this process, so the child's user needs no access. */
  logFile?: string | undefined;
  /** The child's whole environment; absent: this process's. */
  env?: Readonly<Record<string, string>> | undefined;
  /** Takes what a Node process sends to its parent; all of it before its end. */
  onMessage?: (message: unknown) => void;
}

/**
 * Spawns a server that does not outlive this process. Where util-linux's setpriv is missing
 * (macOS, Windows) only an orderly end of this process takes the child with it.
 * @throws Error of the operating system when the program cannot be started.
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
    // A session of its own: Ctrl-C must reach this process only, which then stops the servers in order.
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
      // What it sent last may still be on its way.
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

/** True where children end with this process even by SIGKILL. BusyBox has a setpriv too, without the option. */
export function supportsParentDeathSignal(): Promise<boolean> {
  parentDeathSignalSupport ??= promisify(execFile)('setpriv', ['--help']).then(
    ({ stdout }) => stdout.includes('--pdeathsig'),
    () => false,
  );
  return parentDeathSignalSupport;
}

/** Polls until `condition` answers true; false when `timeoutMs` milliseconds were not enough. */
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
