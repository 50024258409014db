import { createServer, type AddressInfo } from 'node:net';
import { CannotStart, waitUntil } from './child-process.js';

const LOOPBACK = '127.0.0.1';

/** A TCP port of the loopback address that nothing listened on a moment ago. */
export function freePort(): Promise<number> {
  return bindOnce(0);
}

/**
 * @param setting how the user chooses another port, e.g. the name of an environment variable
 * @throws CannotStart naming the port, its setting and what to do
 */
export async function requireFreePort(
  port: number,
  { what, setting, waitMs = 0 }: { what: string; setting: string; waitMs?: number },
): Promise<void> {
  const isFree = () =>
    bindOnce(port).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') return false;
        throw new CannotStart(
          `${what} cannot listen on port ${port} of ${LOOPBACK} (${error.code ?? error.message}). Set ${setting} to another port and start again.`,
        );
      },
    );
  if (!(await waitUntil(isFree, { timeoutMs: waitMs }))) throw portTaken(port, { what, setting });
}

export function portTaken(port: number, { what, setting }: { what: string; setting: string }): CannotStart {
  return new CannotStart(
    `${what} cannot start: port ${port} on ${LOOPBACK} is used by another program. ` +
      `Stop that program, or set ${setting} to a free port, and start again.`,
  );
}

function bindOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}
