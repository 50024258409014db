import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { waitUntil } from '#sandbox/processes/child-process.js';
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#sandbox/postgres/embedded-postgres.js';
import { freePort } from '#sandbox/processes/free-port.js';

let folder: string;
let running: EmbeddedPostgres | undefined;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-spec-'));
  chmodSync(folder, 0o755);
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(
  name: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  const dataDirectory = join(folder, name);
  running = await startEmbeddedPostgres({
    dataDirectory,
    port: await freePort(),
    durable: false,
    ...options,
  });
  return running;
}

async function query(server: EmbeddedPostgres, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client
    .query<unknown[]>({ text: statement, rowMode: 'array' })
    .finally(() => client.end());
  return rows.flat();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('The embedded PostgreSQL', () => {
  it('keeps committed rows through a SIGKILL', async () => {
    const first = await start('kept', { durable: true });
    await query(first, 'CREATE TABLE coins AS SELECT 7 AS amount');

    await first.kill();
    const second = await start('kept', { durable: true });

    expect(await query(second, 'SELECT amount FROM coins')).toEqual([7]);
  });

  it('asks for the password kept beside durable data, which only its owner can read', async () => {
    const server = await start('kept', { durable: true });

    const stranger = new pg.Client({
      connectionString: server.url('postgres').replace(/:[^:@]+@/, ':guess@'),
    });

    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
    expect(statSync(join(folder, 'kept.password')).mode & 0o777).toBe(0o600);
  });

  it('sorts and encodes the same everywhere and does not let a transaction idle', async () => {
    const server = await start('kept', { durable: true });

    const settings = await query(
      server,
      `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, current_setting('fsync'),
              current_setting('idle_in_transaction_session_timeout') FROM pg_database WHERE datname = 'postgres'`,
    );

    expect(settings).toEqual(['UTF8', 'b', 'C.UTF-8', 'on', '8s']);
  });

  it('refuses the folder of another major version and tells how to dump and restore', async () => {
    mkdirSync(join(folder, 'old'));
    writeFileSync(join(folder, 'old', 'PG_VERSION'), '15\n');

    const starting = start('old');

    await expect(starting).rejects.toThrow(/written by PostgreSQL 15.*runs PostgreSQL 18.*pg_dumpall.*psql/s);
    expect(existsSync(join(folder, 'old', 'PG_VERSION'))).toBe(true);
  });

  it('refuses a folder that holds something else', async () => {
    mkdirSync(join(folder, 'photos'));
    writeFileSync(join(folder, 'photos', 'cat.jpg'), '');

    await expect(start('photos')).rejects.toThrow('holds no PostgreSQL data');
    expect(existsSync(join(folder, 'photos', 'cat.jpg'))).toBe(true);
  });

  it('names the port and its setting when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };

    const starting = start('kept', { durable: true, port, portSetting: 'DATABASE_PORT' });

    await expect(starting).rejects.toThrow(new RegExp(`port ${port} .*set DATABASE_PORT to a free port`));
    other.close();
  });

  it('refuses a folder that a living process uses', async () => {
    const server = await start('shared');

    const second = startEmbeddedPostgres({
      dataDirectory: join(folder, 'shared'),
      port: await freePort(),
      durable: false,
    });

    await expect(second).rejects.toThrow(`in use by the running process ${process.pid}`);
    expect(await query(server, 'SELECT 1')).toEqual([1]);
  });

  it('stops the server that a dead owner left behind', async () => {
    const orphan = await start('shared');
    // The recorded owner is another than the server's parent: so it looks when a new parent inherited it.
    writeFileSync(join(folder, 'shared.owner'), '1');

    const second = await startEmbeddedPostgres({
      dataDirectory: join(folder, 'shared'),
      port: orphan.port,
      durable: false,
    });
    running = second;

    expect(second.pid).not.toBe(orphan.pid);
    expect(isAlive(orphan.pid)).toBe(false);
  });

  it('does not outlive the process that started it, even when that one is killed', async () => {
    const program = `
      const { startEmbeddedPostgres } = await import('./src/sandbox/postgres/embedded-postgres.ts');
      const server = await startEmbeddedPostgres(${JSON.stringify({
        dataDirectory: join(folder, 'shared'),
        port: await freePort(),
        durable: false,
      })});
      console.log(server.pid);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(
      process.execPath,
      ['--import', './test/support/typescript-loader.mjs', '--input-type=module', '-e', program],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    expect(isAlive(pid)).toBe(true);

    parent.kill('SIGKILL');

    expect(await waitUntil(() => !isAlive(pid), { timeoutMs: 30_000 })).toBe(true);
  });

  it('tells of an end nobody asked for, and only of that', async () => {
    const ends: unknown[] = [];
    const server = await start('shared', { onExit: (exit) => ends.push(exit) });
    await server.stop();
    expect(ends).toEqual([]);

    const again = await start('shared', { onExit: (exit) => ends.push(exit) });
    process.kill(again.pid, 'SIGINT');

    expect(await waitUntil(() => ends.length > 0, { timeoutMs: 30_000 })).toBe(true);
    expect(ends).toEqual([{ code: 0, signal: null }]);
  });

  it('leaves nothing of a removed database', async () => {
    await (await start('removed')).stop();

    removeEmbeddedPostgres(join(folder, 'removed'));

    for (const rest of ['', '.password', '.log', '.owner']) {
      expect(existsSync(join(folder, `removed${rest}`))).toBe(false);
    }
  });

  it('keeps the data elsewhere when root starts it below a private folder', async () => {
    if (process.getuid?.() !== 0) return;
    const secret = join(folder, 'private');
    mkdirSync(secret, { mode: 0o700 });

    const server = await start('private/data');

    expect(await query(server, 'SELECT 1')).toEqual([1]);
    await server.stop();
    removeEmbeddedPostgres(join(secret, 'data'));
    expect(existsSync(join(secret, 'data'))).toBe(false);
  });
});
