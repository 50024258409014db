import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CannotStart, waitUntil } from '../processes/child-process.js';

/** Signals with the milliseconds to wait. The first ones let open work finish. */
const ESCALATION: [NodeJS.Signals | undefined, number][] = [
  [undefined, 2_000],
  ['SIGINT', 5_000],
  ['SIGQUIT', 3_000],
  ['SIGKILL', 3_000],
];

/**
 * Ends a server whose parent is gone. If another program now has its process id, removes the pid file, because
 * PostgreSQL would mistake that program for its own server.
 * @returns whether a server had to end
 * @throws CannotStart if the server's parent still runs
 */
export async function endOrphan(dataDirectory: string, ownerFile: string): Promise<boolean> {
  const pidFile = join(dataDirectory, 'postmaster.pid');
  const lines = existsSync(pidFile) ? readFileSync(pidFile, 'utf8').split('\n') : [];
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const server = inspect(pid);
  if (server === undefined) return true;
  if (!server.command.includes('postgres') || !server.command.includes(dataDirectory)) {
    rmSync(pidFile, { force: true });
    return false;
  }
  const owner = existsSync(ownerFile) ? Number(readFileSync(ownerFile, 'utf8')) : undefined;
  if (server.parent === owner) {
    throw new CannotStart(
      `The database folder ${dataDirectory} is in use by the running process ${owner}. Stop that one first.`,
    );
  }
  for (const [signal, timeoutMs] of ESCALATION) {
    if (signal !== undefined) send(pid, signal, dataDirectory);
    if (await waitUntil(() => inspect(pid) === undefined, { timeoutMs })) return true;
  }
  throw new CannotStart(
    `An earlier database server (process ${pid}) on ${dataDirectory} does not stop. Kill the process.`,
  );
}

function send(pid: number, signal: NodeJS.Signals, dataDirectory: string): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return;
    throw new CannotStart(
      `An earlier database server (process ${pid}) still runs on ${dataDirectory} and belongs to another ` +
        'user. Stop it first.',
    );
  }
}

/** Undefined if the process does not exist. A zombie has an empty command. */
function inspect(pid: number): { parent: number; command: string } | undefined {
  try {
    if (existsSync('/proc/self/stat')) {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z') return { parent: Number(parent), command: '' };
      return {
        parent: Number(parent),
        command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '),
      };
    }
    const [, parent, command] =
      /^\s*(\d+)\s+(.*)$/m.exec(
        execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' }),
      ) ?? [];
    return command === undefined ? undefined : { parent: Number(parent), command };
  } catch {
    return undefined;
  }
}
