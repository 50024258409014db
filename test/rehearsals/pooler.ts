import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { spawnChild, waitUntil } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import type { Rehearsal } from './rehearsal.js';
import type { SecuredPostgres } from './secured-postgres.js';

/** It refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
/** Far fewer than the processes hold together, so that connections change hands. */
const SERVER_CONNECTIONS = 8;

/** PgBouncer in transaction mode before the server, which it reaches by TLS. @returns the service's way to the database */
export async function startPooler(rehearsal: Rehearsal, database: SecuredPostgres): Promise<string> {
  // Its user enters the folder; what is secret there is the password of a database of this rehearsal.
  chmodSync(rehearsal.folder, 0o755);
  const pooler = await startPgBouncer(join(rehearsal.folder, 'pooler'), SERVER_CONNECTIONS, [
    '[databases]',
    `payments = host=127.0.0.1 port=${database.port} dbname=payments user=payments_service password=${database.servicePassword}`,
    '[pgbouncer]',
    'server_tls_sslmode = verify-ca',
    `server_tls_ca_file = ${database.authority}`,
  ]);
  rehearsal.atEnd(pooler.end);
  return `postgres://payments_service@127.0.0.1:${pooler.port}/payments`;
}

/** @param lines of its file, up to the section [pgbouncer] and what is special there */
export async function startPgBouncer(folder: string, connections: number, lines: readonly string[]) {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  const port = await freePort();
  const [file, logFile] = [join(folder, 'pgbouncer.ini'), join(folder, 'output.log')];
  writeFileSync(
    file,
    `${lines.join('\n')}
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 200
`,
  );
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const pooler = await spawnChild({
    command: 'pgbouncer',
    args: [file],
    user,
    logFile,
    deathSignal: 'SIGKILL',
  });
  if (!(await waitUntil(() => takesConnections(port), { timeoutMs: 20_000 })))
    throw new Error(`PgBouncer takes no connection: ${logFile}`);
  return { port, end: () => pooler.end('SIGINT') };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
