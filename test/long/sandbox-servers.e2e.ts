import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { OperatorCommandRunner } from '#app/operator/operator-command-runner.js';
import { startAnvil, type Anvil, type AnvilOptions } from '#sandbox/chain/anvil.js';
import { blockHead, chainRpc, type BlockHead } from '#sandbox/chain/chain-rpc.js';
import { sandboxNetworkConfiguration } from '#sandbox/chain/sandbox-chain.js';
import {
  removeEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#sandbox/postgres/embedded-postgres.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { allGone } from '#test/support/sandbox-programs.js';

const CHAIN_ID = 4_242;
/** Creation code that emits one log without topics. */
const EMITS_LOG = '0x60006000a060006000f3';
const PATIENCE = { timeoutMs: 30_000 };
const now = () => Date.now() / 1_000;

const folder = mkdtempSync(join(tmpdir(), 'sandbox-servers-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts a server in another process, kills that process, and waits for the end of the server. */
async function expectToEndWithItsParent(program: string): Promise<void> {
  const loader = ['--import', './test/support/typescript-loader.mjs', '--input-type=module', '-e'];
  const waits = `console.log(server.pid); setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, [...loader, program + waits], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(output.toString());
  expect(process.kill(pid, 0)).toBe(true);

  parent.kill('SIGKILL');

  expect(await allGone([pid], PATIENCE.timeoutMs)).toBe(true);
}

/** @param start a server on this port, whose setting is SOME_PORT */
async function expectToNameTakenPort(start: (port: number) => Promise<unknown>): Promise<void> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };

  await expect(start(port)).rejects.toThrow(new RegExp(`port ${port} .*set SOME_PORT to a free port`));
  other.close();
}

describe('The EVM node of the sandbox', () => {
  let platform: TestPlatform;
  let running: Anvil | undefined;
  beforeAll(async () => {
    platform = await openTestDatabase();
  });
  afterEach(async () => {
    await running?.kill();
    running = undefined;
  });
  afterAll(() => platform.close());

  const stateOf = (name: string) => join(folder, name);

  async function start(options: Partial<AnvilOptions> = {}): Promise<Anvil> {
    running = await startAnvil({ port: await freePort(), chainId: CHAIN_ID, ...options });
    return running;
  }

  /** Replaces the newest blocks, by the operator's command. */
  function reorganize(url: string, blocks: number): Promise<{ changed: number[] }> {
    const [network] = sandboxNetworkConfiguration(url) as [object];
    const networksFile = join(folder, 'networks.json');
    writeFileSync(networksFile, JSON.stringify([{ ...network, chain_id: CHAIN_ID }]));
    const environment = {
      SERVICE_ENV: 'development',
      NETWORKS_FILE: networksFile,
      DATABASE_URL: platform.url,
    };
    const operator = new OperatorCommandRunner({ environment, actor: 'test' });
    return operator.run('chain', 'reorg', String(blocks), '--yes');
  }

  async function emitLog({ url }: Anvil): Promise<string> {
    const [from] = await chainRpc<string[]>(url, 'eth_accounts');
    const transaction = { from, data: EMITS_LOG, gas: '0x30000' };
    const hash = await chainRpc<string>(url, 'eth_sendTransaction', [transaction]);
    const mined = async () => (await chainRpc(url, 'eth_getTransactionReceipt', [hash])) !== null;
    expect(await waitUntil(mined, PATIENCE)).toBe(true);
    return hash;
  }

  const height = async ({ url }: Anvil) => Number((await blockHead(url)).number);
  const time = async ({ url }: Anvil) => Number((await blockHead(url)).timestamp);

  /** The past of the chain as a watcher or a person reads it. */
  async function history({ url }: Anvil, transaction: string, upTo: number) {
    const blocks: BlockHead[] = [];
    for (let number = 0; number <= upTo; number += 1) blocks.push(await blockHead(url, number));
    const [account] = await chainRpc<string[]>(url, 'eth_accounts');
    const range = { fromBlock: '0x0', toBlock: `0x${upTo.toString(16)}` };
    return {
      blocks,
      receipt: await chainRpc<object>(url, 'eth_getTransactionReceipt', [transaction]),
      logs: await chainRpc<unknown[]>(url, 'eth_getLogs', [range]),
      balance: await chainRpc(url, 'eth_getBalance', [account, 'latest']),
    };
  }

  it('has the same past after each restart', async () => {
    const stateFile = stateOf('stopped');
    const first = await start({ stateFile, genesisTimestamp: 1_700_000_000 });
    const transaction = await emitLog(first);
    await chainRpc(first.url, 'anvil_mine', ['0x5']);
    const before = await history(first, transaction, 6);
    expect(before.logs).toHaveLength(1);

    await first.stop();
    for (let restart = 1; restart <= 2; restart += 1) {
      const next = await start({ stateFile });

      expect({ ...(await history(next, transaction, 6)), balance: before.balance }).toEqual(before);
      expect(await height(next)).toBe(5 + restart);
      await emitLog(next);
      await next.stop();
    }
  });

  it('loses at most its last seconds to a SIGKILL, and continues in real time', async () => {
    const stateFile = stateOf('killed');
    const first = await start({ stateFile, blockTimeSeconds: 1 });
    const emptyState = statSync(stateFile).mtimeMs;
    const transaction = await emitLog(first);
    const upTo = await height(first);
    const before = await history(first, transaction, upTo);
    expect(await waitUntil(() => statSync(stateFile).mtimeMs > emptyState, PATIENCE)).toBe(true);

    await first.kill();
    const resuming = Math.floor(now());
    const second = await start({ stateFile, blockTimeSeconds: 1 });

    expect(await history(second, transaction, upTo)).toEqual(before);
    const resumedAt = await height(second);
    expect(await waitUntil(async () => (await height(second)) >= resumedAt + 2, PATIENCE)).toBe(true);
    const newest = await time(second);
    expect(newest).toBeGreaterThanOrEqual(resuming);
    expect(newest).toBeLessThanOrEqual(now() + 1);
  });

  it('continues at the later of its last block time and the given clock', async () => {
    const stateFile = stateOf('ahead');
    const first = await start({ stateFile });
    await chainRpc(first.url, 'evm_increaseTime', [86_400]);
    await chainRpc(first.url, 'anvil_mine', ['0x1']);
    const newest = await time(first);
    await first.stop();

    const second = await start({ stateFile });
    await emitLog(second);
    const next = await time(second);
    expect(next).toBeGreaterThanOrEqual(newest);
    expect(next - now()).toBeLessThan(86_410);
    await second.stop();

    const inAWeek = Math.floor(now()) + 7 * 86_400;
    const third = await start({ stateFile, clock: async () => new Date(inAWeek * 1_000) });
    await emitLog(third);
    expect(await time(third)).toBeGreaterThanOrEqual(inAWeek);
    expect(await time(third)).toBeLessThan(inAWeek + 60);
  });

  it('keeps a reorganization after a restart, and can reorganize blocks since then', async () => {
    const stateFile = stateOf('reorganized');
    const first = await start({ stateFile });
    const lost = [await emitLog(first), await emitLog(first), await emitLog(first)][2]!;
    await reorganize(first.url, 2);
    const heads = ({ url }: Anvil) =>
      Promise.all([0, 1, 2, 3].map(async (number) => (await blockHead(url, number)).hash));
    const before = await heads(first);

    await first.stop();
    const second = await start({ stateFile });

    expect(await heads(second)).toEqual(before);
    expect(await chainRpc(second.url, 'eth_getTransactionReceipt', [lost])).toBeNull();
    await emitLog(second);
    expect((await reorganize(second.url, 1)).changed).toEqual([4]);
    // The node has no state of blocks before its start.
    await expect(reorganize(second.url, 2)).rejects.toThrow(/older than the node's last start/);
    expect(await heads(second)).toEqual(before);
  });

  it('names the reset of the sandbox if its state file is unreadable', async () => {
    const stateFile = stateOf('broken');
    writeFileSync(stateFile, 'not gzip');

    await expect(start({ stateFile })).rejects.toThrow(
      /state file .*broken cannot be read.*reset the sandbox/s,
    );
  });

  it('names a taken port and its setting', () =>
    expectToNameTakenPort((port) => start({ port, portSetting: 'SOME_PORT' })));

  it('ends with the process that started it', async () =>
    expectToEndWithItsParent(`
      const { startAnvil } = await import('./sandbox/chain/anvil.ts');
      const server = await startAnvil({ port: ${await freePort()}, chainId: ${CHAIN_ID} });`));
});

describe('The embedded PostgreSQL', () => {
  let running: EmbeddedPostgres | undefined;
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });

  const dataOf = (name: string) => join(folder, name);

  async function start(name: string, options: Partial<EmbeddedPostgresOptions> = {}) {
    const port = await freePort();
    running = await startEmbeddedPostgres({
      dataDirectory: dataOf(name),
      port,
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

  it('keeps committed rows after a SIGKILL, requires its password, and has fixed settings', async () => {
    const first = await start('kept', { durable: true });
    await query(first, 'CREATE TABLE coins AS SELECT 7 AS amount');

    await first.kill();
    const second = await start('kept', { durable: true });

    expect(await query(second, 'SELECT amount FROM coins')).toEqual([7]);
    const stranger = new pg.Client({
      connectionString: second.url('postgres').replace(/:[^:@]+@/, ':guess@'),
    });
    await expect(stranger.connect()).rejects.toThrow('password authentication failed');
    expect(statSync(dataOf('kept.password')).mode & 0o777).toBe(0o600);
    const settings = await query(
      second,
      `SELECT pg_encoding_to_char(encoding), datlocprovider, datlocale, current_setting('fsync'),
              current_setting('idle_in_transaction_session_timeout') FROM pg_database WHERE datname = 'postgres'`,
    );
    expect(settings).toEqual(['UTF8', 'b', 'C.UTF-8', 'on', '8s']);
  });

  it.each([
    ['PG_VERSION', /written by PostgreSQL 15.*runs PostgreSQL 18.*pg_dumpall.*psql/s],
    ['cat.jpg', /holds no PostgreSQL data/],
  ])('refuses a folder that holds unsuitable files, and changes nothing in it: %s', async (file, message) => {
    const name = `has-${file}`;
    mkdirSync(dataOf(name));
    writeFileSync(join(dataOf(name), file), '15\n');

    await expect(start(name)).rejects.toThrow(message);
    expect(existsSync(join(dataOf(name), file))).toBe(true);
  });

  it('names a taken port and its setting', () =>
    expectToNameTakenPort((port) => start('shared', { port, portSetting: 'SOME_PORT' })));

  it('refuses a folder that a running process uses, and stops a server whose process has ended', async () => {
    const orphan = await start('shared');
    const again = { dataDirectory: dataOf('shared'), port: orphan.port, durable: false };

    const second = startEmbeddedPostgres({ ...again, port: await freePort() });
    await expect(second).rejects.toThrow(`in use by the running process ${process.pid}`);
    expect(await query(orphan, 'SELECT 1')).toEqual([1]);
    // Another owner than the server's parent is recorded, as after a new parent inherited the server.
    writeFileSync(dataOf('shared.owner'), '1');
    running = await startEmbeddedPostgres(again);

    expect(running.pid).not.toBe(orphan.pid);
    expect(await allGone([orphan.pid], 0)).toBe(true);
  });

  it('ends with the process that started it', async () => {
    const options = { dataDirectory: dataOf('shared'), port: await freePort(), durable: false };

    await expectToEndWithItsParent(`
      const { startEmbeddedPostgres } = await import('./sandbox/postgres/embedded-postgres.ts');
      const server = await startEmbeddedPostgres(${JSON.stringify(options)});`);
  });

  it('leaves no file of a removed database, even if root started it below a private folder', async () => {
    mkdirSync(dataOf('private'), { mode: process.getuid?.() === 0 ? 0o700 : 0o755 });

    const server = await start('private/data');
    expect(await query(server, 'SELECT 1')).toEqual([1]);
    await server.stop();
    removeEmbeddedPostgres(dataOf('private/data'));

    expect(readdirSync(dataOf('private'))).toEqual([]);
  });
});
