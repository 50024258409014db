import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { OperatorSession } from '#app/operator/operator-session.js';
import { startAnvil, type Anvil, type AnvilOptions } from '#sandbox/chain/anvil.js';
import { sandboxNetworkConfiguration } from '#sandbox/chain/sandbox-chain.js';
import { blockHead, chainRpc, type BlockHead } from '#sandbox/chain/chain-rpc.js';
import { waitUntil } from '#sandbox/processes/child-process.js';
import { freePort } from '#sandbox/processes/free-port.js';

const CHAIN_ID = 4_242;
const NOW = () => Date.now() / 1_000;
/** Creation code whose run emits one log without topics. */
const EMITS_LOG = '0x60006000a060006000f3';

let folder: string;
let platform: TestPlatform;
let running: Anvil | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anvil-spec-'));
  platform = await openTestDatabase();
});

afterEach(async () => {
  await running?.kill();
  running = undefined;
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.close();
});

/** The newest blocks, by the operator's command. */
function reorganise(url: string, blocks: number): Promise<{ changed: number[] }> {
  const [network] = sandboxNetworkConfiguration(url) as [object];
  const networksFile = join(folder, 'networks.json');
  writeFileSync(networksFile, JSON.stringify([{ ...network, chain_id: CHAIN_ID }]));
  const environment = {
    SERVICE_ENV: 'development',
    NETWORKS_FILE: networksFile,
    DATABASE_URL: platform.url,
  };
  const operator = new OperatorSession({ environment, actor: 'test' });
  return operator.run('chain', 'reorg', String(blocks), '--yes');
}

async function start(options: Partial<AnvilOptions> = {}): Promise<Anvil> {
  running = await startAnvil({ port: await freePort(), chainId: CHAIN_ID, ...options });
  return running;
}

async function emitLog(chain: Anvil): Promise<string> {
  const [from] = await chainRpc<string[]>(chain.url, 'eth_accounts');
  const hash = await chainRpc<string>(chain.url, 'eth_sendTransaction', [
    { from, data: EMITS_LOG, gas: '0x30000' },
  ]);
  const mined = () =>
    chainRpc(chain.url, 'eth_getTransactionReceipt', [hash]).then((receipt) => receipt !== null);
  expect(await waitUntil(mined, { timeoutMs: 30_000 })).toBe(true);
  return hash;
}

/** Everything a watcher or a person would ask about the chain's past. */
async function history(chain: Anvil, transaction: string, upTo: number) {
  const blocks: BlockHead[] = [];
  for (let number = 0; number <= upTo; number += 1) blocks.push(await blockHead(chain.url, number));
  const receipt = await chainRpc<{ blockHash: string }>(chain.url, 'eth_getTransactionReceipt', [
    transaction,
  ]);
  const accounts = await chainRpc<string[]>(chain.url, 'eth_accounts');
  return {
    chainId: await chainRpc(chain.url, 'eth_chainId'),
    blocks,
    receipt,
    logsOfBlock: await chainRpc<unknown[]>(chain.url, 'eth_getLogs', [{ blockHash: receipt.blockHash }]),
    logsOfRange: await chainRpc(chain.url, 'eth_getLogs', [
      { fromBlock: '0x0', toBlock: `0x${upTo.toString(16)}` },
    ]),
    balance: await chainRpc(chain.url, 'eth_getBalance', [accounts[0], 'latest']),
  };
}

describe('The local chain', () => {
  it('resumes with the same past after an orderly stop, however short it lived', async () => {
    const stateFile = join(folder, 'stopped', 'chain');
    const first = await start({ stateFile, genesisTimestamp: 1_700_000_000 });
    const transaction = await emitLog(first);
    await chainRpc(first.url, 'anvil_mine', ['0x5']);
    const before = await history(first, transaction, 6);

    await first.stop();
    const second = await start({ stateFile, genesisTimestamp: 1_700_000_000 });

    expect(before.logsOfBlock).toHaveLength(1);
    expect(await history(second, transaction, 6)).toEqual(before);
    expect(Number((await blockHead(second.url)).number)).toBe(6);
  });

  it('keeps its first block through many restarts', async () => {
    const stateFile = join(folder, 'restarted');
    const first = await start({ stateFile, genesisTimestamp: 1_700_000_000 });
    const genesis = await blockHead(first.url, 0);
    await first.stop();

    for (let restart = 1; restart <= 3; restart += 1) {
      const next = await start({ stateFile });
      await emitLog(next);
      // Each node's own genesis carries the second it was started in.
      await waitUntil(() => false, { timeoutMs: 250 });

      expect((await blockHead(next.url, 0)).hash).toBe(genesis.hash);
      expect(Number((await blockHead(next.url)).number)).toBe(restart);
      await next.stop();
    }
  });

  it('loses at most its last seconds to a SIGKILL, and goes on in real time', async () => {
    const stateFile = join(folder, 'killed');
    const first = await start({ stateFile, blockTimeSeconds: 1 });
    const emptyState = statSync(stateFile).mtimeMs;
    const transaction = await emitLog(first);
    const { blockNumber } = await chainRpc<{ blockNumber: string }>(first.url, 'eth_getTransactionReceipt', [
      transaction,
    ]);
    const before = await history(first, transaction, Number(blockNumber));
    expect(await waitUntil(() => statSync(stateFile).mtimeMs > emptyState, { timeoutMs: 30_000 })).toBe(true);

    await first.kill();
    const resuming = Math.floor(NOW());
    const second = await start({ stateFile, blockTimeSeconds: 1 });

    expect(await history(second, transaction, Number(blockNumber))).toEqual(before);
    const resumedAt = Number((await blockHead(second.url)).number);
    const mined = async () => Number((await blockHead(second.url)).number) >= resumedAt + 2;
    expect(await waitUntil(mined, { timeoutMs: 30_000 })).toBe(true);
    const time = Number((await blockHead(second.url)).timestamp);
    expect(time).toBeGreaterThanOrEqual(resuming);
    expect(time).toBeLessThanOrEqual(NOW() + 1);
  });

  it('ignores a save that a crash cut short', async () => {
    const stateFile = join(folder, 'cut');
    const first = await start({ stateFile });
    await emitLog(first);
    await first.stop();
    writeFileSync(`${stateFile}.part`, 'half a fi');

    const second = await start({ stateFile });

    expect(Number((await blockHead(second.url)).number)).toBe(1);
    expect(readdirSync(folder).filter((name) => name.startsWith('cut'))).toEqual(['cut']);
  });

  it('never lets time go back when the chain was ahead of real time', async () => {
    const stateFile = join(folder, 'ahead');
    const first = await start({ stateFile });
    await chainRpc(first.url, 'evm_increaseTime', [86_400]);
    await chainRpc(first.url, 'anvil_mine', ['0x1']);
    const newest = Number((await blockHead(first.url)).timestamp);

    await first.stop();
    const second = await start({ stateFile });
    await emitLog(second);

    const next = Number((await blockHead(second.url)).timestamp);
    expect(next).toBeGreaterThanOrEqual(newest);
    expect(next - NOW()).toBeLessThan(86_410);
  });

  it('goes on at the time of the clock it is given, also where it was stopped for long', async () => {
    const stateFile = join(folder, 'clock');
    const first = await start({ stateFile });
    await emitLog(first);
    await first.stop();
    const inAWeek = Math.floor(NOW()) + 7 * 86_400;

    const second = await start({ stateFile, clock: async () => new Date(inAWeek * 1_000) });
    await emitLog(second);

    const next = Number((await blockHead(second.url)).timestamp);
    expect(next).toBeGreaterThanOrEqual(inAWeek);
    expect(next).toBeLessThan(inAWeek + 60);
  });

  it('resumes as it was reorganised, and can be reorganised again', async () => {
    const stateFile = join(folder, 'reorganised');
    const first = await start({ stateFile });
    const lost = [await emitLog(first), await emitLog(first), await emitLog(first)][2]!;
    await reorganise(first.url, 2);
    const heads = (chain: Anvil) =>
      Promise.all([0, 1, 2, 3].map(async (number) => (await blockHead(chain.url, number)).hash));
    const before = await heads(first);

    await first.stop();
    const second = await start({ stateFile });

    expect(await heads(second)).toEqual(before);
    expect(await chainRpc(second.url, 'eth_getTransactionReceipt', [lost])).toBeNull();
    await emitLog(second);
    expect((await reorganise(second.url, 1)).changed).toEqual([4]);
    // Of the past before its start the node has no state to go on from.
    await expect(reorganise(second.url, 2)).rejects.toThrow(/older than the node's last start/);
    expect(await heads(second)).toEqual(before);
  });

  it('says what to do about a state file that is no state', async () => {
    const stateFile = join(folder, 'broken');
    writeFileSync(stateFile, 'not gzip');

    await expect(start({ stateFile })).rejects.toThrow(
      /state file .*broken cannot be read.*reset the sandbox/s,
    );
  });

  it('names the port and its setting when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };

    await expect(start({ port, portSetting: 'CHAIN_PORT' })).rejects.toThrow(
      new RegExp(`port ${port} .*set CHAIN_PORT to a free port`),
    );
    other.close();
  });

  it('does not outlive the process that started it, even when that one is killed', async () => {
    const program = `
      const { startAnvil } = await import('./src/sandbox/chain/anvil.ts');
      const chain = await startAnvil({ port: ${await freePort()}, chainId: ${CHAIN_ID} });
      console.log(chain.pid);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(
      process.execPath,
      ['--import', './test/support/typescript-loader.mjs', '--input-type=module', '-e', program],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [output] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(output.toString());
    expect(existsSync(`/proc/${pid}`) || process.platform !== 'linux').toBe(true);

    parent.kill('SIGKILL');

    const isGone = () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };
    expect(await waitUntil(isGone, { timeoutMs: 30_000 })).toBe(true);
  });
});
