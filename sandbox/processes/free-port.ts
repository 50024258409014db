import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { CannotStart, waitUntil } from './child-process.js';

const LOOPBACK = '127.0.0.1';

/** The range is below the ephemeral ports, which outgoing connections could take in the meantime. */
const LOWEST_PORT = 10_000;
const HIGHEST_PORT = 32_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, HIGHEST_PORT);
    if (await isFree(port)) return port;
  }
}

/** Finds a free port whose next port is free too. */
export async function freePortBeforeAnother(): Promise<number> {
  for (;;) {
    const port = await freePort();
    if (await isFree(port + 1)) return port;
  }
}

/**
 * @param setting how the user chooses another port
 * @throws CannotStart
 */
export async function requireFreePort(
  port: number,
  { what, setting, waitMs = 0 }: { what: string; setting: string; waitMs?: number },
): Promise<void> {
  const free = () =>
    isFree(port).catch((error: NodeJS.ErrnoException) => {
      throw new CannotStart(
        `${what} cannot listen on port ${port} of ${LOOPBACK} (${error.code ?? error.message}). Set ${setting} to another port and start again.`,
      );
    });
  if (!(await waitUntil(free, { timeoutMs: waitMs }))) throw portTaken(port, { what, setting });
}

export function portTaken(port: number, { what, setting }: { what: string; setting: string }): CannotStart {
  return new CannotStart(
    `${what} cannot start: port ${port} on ${LOOPBACK} is used by another program. ` +
      `Stop that program, or set ${setting} to a free port, and start again.`,
  );
}

/** @throws any binding error except EADDRINUSE */
async function isFree(port: number): Promise<boolean> {
  return bindOnce(port).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return false;
      throw error;
    },
  );
}

function bindOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => server.close(() => resolve()));
  });
}
