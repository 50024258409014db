import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import {
  CannotStart,
  spawnChild,
  waitUntil,
  type ChildExit,
  type RunningChild,
} from '../processes/child-process.js';
import { portTaken, requireFreePort } from '../processes/free-port.js';
import { locatePostgres } from './postgres-binaries.js';
import { ownerFile, prepareData, readPassword, removeData } from './postgres-data.js';
import { endOrphan } from './postgres-orphan.js';
import { serverUser } from './server-user.js';

export interface EmbeddedPostgresOptions {
  /** Created if missing or empty. Password, log and owner files are siblings with the same name prefix. */
  dataDirectory: string;
  port: number;
  /** The setting of the port, for the error message if the port is in use. */
  portSetting?: string;
  /** False trades crash safety for speed and needs no password. For tests only. */
  durable: boolean;
  /** Connects through a Unix socket, which is cheaper than TCP. For tests only. */
  throughSocket?: boolean;
  /** The result of `SHOW cluster_name`. */
  clusterName?: string;
  /** Called when the server ends without `stop` or `kill`. */
  onExit?: (exit: ChildExit) => void;
}

export interface EmbeddedPostgres {
  /** The superuser's connection URL to a database of this server. */
  url(database: string): string;
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
  /** Sends SIGKILL, to simulate a crash. */
  kill(): Promise<void>;
}

/** Milliseconds. Includes crash recovery after a SIGKILL. */
const READY_WITHIN = 120_000;
/** Milliseconds that the children of a killed server may keep its shared memory. */
const SHARED_MEMORY_WITHIN = 10_000;

/** Limits memory, and releases the locks of a dead or hanging client within 10 seconds. */
const ALWAYS = [
  'listen_addresses=127.0.0.1',
  'shared_buffers=64MB',
  'max_parallel_workers_per_gather=0',
  'jit=off',
  'idle_in_transaction_session_timeout=8s',
  'client_connection_check_interval=2s',
  'tcp_keepalives_idle=4',
  'tcp_keepalives_interval=2',
  'tcp_keepalives_count=2',
];
const FOR_TESTS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** @throws CannotStart with the reason and the remedy */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { port, durable } = options;
  const dataDirectory = resolve(options.dataDirectory);
  const place = { what: 'The embedded PostgreSQL', setting: options.portSetting ?? 'its port setting' };
  const user = serverUser(dataDirectory);
  const binaries = await locatePostgres(user);
  const data = await prepareData({ dataDirectory, binaries, user, durable });
  const endedOrphan = await endOrphan(data, ownerFile(dataDirectory));
  await requireFreePort(port, { ...place, waitMs: endedOrphan ? 3_000 : 0 });
  const password = readPassword(dataDirectory);
  const socketFolder = options.throughSocket === true ? data : '';
  const socket = socketFolder && `?host=${encodeURIComponent(socketFolder)}`;
  const url = (database: string) =>
    `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}${socket}`;

  const logFile = `${dataDirectory}.log`;
  const settings = [
    ...ALWAYS,
    ...(durable ? [] : FOR_TESTS),
    ...(options.clusterName === undefined ? [] : [`cluster_name=${options.clusterName}`]),
    `unix_socket_directories=${socketFolder}`,
    `max_connections=${durable ? 100 : 200}`,
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const retryUntil = performance.now() + SHARED_MEMORY_WITHIN;
  for (;;) {
    const logStart = existsSync(logFile) ? statSync(logFile).size : 0;
    const server = await spawnChild({
      command: binaries.postgres,
      args,
      deathSignal: 'SIGINT',
      user,
      logFile,
    });
    writeFileSync(ownerFile(dataDirectory), String(process.pid));
    if (await becameReady(server, url('postgres'))) {
      server.onExit(options.onExit);
      return {
        url,
        port,
        pid: server.pid,
        stop: () => server.end('SIGINT'),
        kill: () => server.end('SIGKILL'),
      };
    }
    await server.end('SIGQUIT');
    const logged = readFileSync(logFile).subarray(logStart).toString('utf8').trim();
    if (logged.includes('Address already in use')) throw portTaken(port, place);
    const mayPass = logged.includes('shared memory block') && performance.now() < retryUntil;
    if (!mayPass) {
      throw new CannotStart(
        `The embedded PostgreSQL did not start; ${logFile} says:\n${logged.slice(-2_000)}`,
      );
    }
    await pause(200);
  }
}

/** Deletes all files that `startEmbeddedPostgres` created for this folder. The server must be stopped. */
export function removeEmbeddedPostgres(dataDirectory: string): void {
  removeData(resolve(dataDirectory));
}

async function becameReady(server: RunningChild, url: string): Promise<boolean> {
  let answered = false;
  const settled = async () => server.hasExited() || (answered = await answers(url));
  await waitUntil(settled, { timeoutMs: READY_WITHIN }).catch(async (error: unknown) => {
    await server.end('SIGINT');
    throw error;
  });
  return answered && !server.hasExited();
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // A rejected password means that the server is ready.
    if ((error as { code?: string }).code === '28P01') {
      throw new CannotStart(
        'The embedded PostgreSQL does not accept the password in the file beside its data folder.',
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
