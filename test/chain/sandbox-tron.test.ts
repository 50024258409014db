import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKEN_ABI } from '#sandbox/chain/test-tokens.js';
import { sandboxPayer } from '#sandbox/chain/sandbox-chain.js';
import { freePort } from '#sandbox/processes/free-port.js';
import { evmAddress, readTronAddress } from '#sandbox/tron/tron-address.js';
import { startTron, type StartedTron } from '#sandbox/tron/start-tron.js';
import { TronWallet } from '#sandbox/tron/tron-wallet.js';

const HOUR_MS = 3_600_000;
const WHOLE = 1_000_000n * 1_000_000n;

let folder: string;
let port: number;
let started: StartedTron;

const start = async () => {
  const output = { print: () => undefined, withProgress: (_: string, work: () => unknown) => work() };
  const surroundings = { folder: { tron: folder }, output, clock: () => Promise.resolve(new Date()) };
  return startTron({ tronPort: port, tronBlockSeconds: 1 } as never, surroundings as never);
};
const wallet = () => new TronWallet(started.network.url, sandboxPayer.private_key.slice(2));
const token = () => readTronAddress(started.network.token)!;
const balanceOf = (address: string) => wallet().read(token(), TOKEN_ABI, 'balanceOf', [evmAddress(address)]);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sandbox-tron-'));
  port = await freePort();
  started = await start();
});
afterAll(async () => {
  await started.stop();
  await rm(folder, { recursive: true });
});

describe('The TRON network of npm start -- --tron', () => {
  it('has a payer with money, and keeps its contracts and payments over a restart', async () => {
    const to = `41${'77'.repeat(20)}`;
    expect(await balanceOf(wallet().address)).toBe(WHOLE);
    await wallet().mined(await wallet().call(token(), TOKEN_ABI, 'transfer', [evmAddress(to), 5n]));
    const { network } = started;

    await started.stop();
    started = await start();

    expect(started.network).toEqual(network);
    expect(await balanceOf(to)).toBe(5n);
  });

  it('follows a clock that is moved, and continues from there', async () => {
    const time = new Date(Date.now() + HOUR_MS);

    await started.chain.advanceTo(time);

    expect((await started.chain.chainTime()).getTime()).toBeGreaterThan(time.getTime() - 2_000);
    const { number } = started.chain.running.chain.newest;
    await wallet().mined(await wallet().call(token(), TOKEN_ABI, 'mint', [evmAddress(wallet().address), 1n]));
    expect(started.chain.running.chain.newest.number).toBeGreaterThan(number);
  });
});
