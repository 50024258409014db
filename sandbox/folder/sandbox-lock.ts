import { outgoingFetch } from '#shared/platform/http/outgoing/outgoing-fetch.js';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { CannotStart, waitUntil } from '../processes/child-process.js';
import type { TerminalOutput } from '../terminal/terminal-output.js';
import type { SandboxFile, SandboxFolder } from './sandbox-folder.js';

/** Milliseconds. */
const UP_WITHIN = 120_000;

interface Holder {
  pid: number;
  /** Detects a later process with the same id. Empty if the system does not report it. */
  bornAt: string;
}

/**
 * @returns a function that unlocks the folder
 * @throws CannotStart if another sandbox runs on it
 */
export function lockSandbox(folder: SandboxFolder): () => void {
  const running = runningSandbox(folder);
  if (running !== undefined) {
    const at = folder.read()?.api_url;
    throw new CannotStart(
      `A sandbox is running on ${folder.path} already (process ${running}${at === undefined ? '' : `, ${at}`}). ` +
        'Use it, or stop it with Ctrl-C in its terminal.',
    );
  }
  rmSync(folder.lock, { force: true });
  const holder: Holder = { pid: process.pid, bornAt: bornAt(process.pid) };
  try {
    writeFileSync(folder.lock, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CannotStart(`Another sandbox is being started on ${folder.path} at this moment.`);
  }
  return () => rmSync(folder.lock, { force: true });
}

/** @returns the process id; undefined if no sandbox runs on this folder */
export function runningSandbox(folder: SandboxFolder): number | undefined {
  const holder = readHolder(folder);
  if (holder === undefined || !isAlive(holder.pid)) return undefined;
  return bornAt(holder.pid) === holder.bornAt ? holder.pid : undefined;
}

/**
 * Waits for the API, because the sandbox may be starting.
 * @returns undefined if none runs
 * @throws CannotStart if the API does not respond
 */
export async function findRunningSandbox(
  folder: SandboxFolder,
  output: TerminalOutput,
): Promise<SandboxFile | undefined> {
  if (runningSandbox(folder) === undefined) return undefined;
  const answers = async () => {
    const url = folder.read()?.api_url;
    if (url === undefined) return false;
    return outgoingFetch(`${url}/health`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const isSettled = async () => runningSandbox(folder) === undefined || (await answers());
  const settled = await output.withProgress('Waiting for the sandbox', () =>
    waitUntil(isSettled, { timeoutMs: UP_WITHIN, everyMs: 200 }),
  );
  if (!settled) throw new CannotStart(`The sandbox runs, but its API does not answer; see ${folder.logs}.`);
  return runningSandbox(folder) === undefined ? undefined : folder.read();
}

function readHolder(folder: SandboxFolder): Holder | undefined {
  try {
    return JSON.parse(readFileSync(folder.lock, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Start time in clock ticks since boot: field 22 of stat in proc(5). */
function bornAt(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
}
