import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { startAnvil, type Anvil } from '../chain/anvil.js';
import { chainRpc } from '../chain/chain-rpc.js';
import { prepareChain, sandboxNetwork, sandboxPayer } from '../chain/sandbox-chain.js';
import type { SandboxNetwork } from '../folder/sandbox-folder.js';
import { waitUntil } from '../processes/child-process.js';
import { freePort } from '../processes/free-port.js';
import { tokenOf } from './payer-wallet.js';
import { startWalletServer, type WalletServer } from './wallet-server.js';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeServer, listenOn } from '../processes/loopback-server.js';

/** A proxy between the wallet and its chain. The wallet's transport does not repeat by itself what the proxy refuses. */
class ChainProxy {
  url = '';
  refused: string | undefined;
  private readonly refusals = new Map<string, number>();
  private refusedAgain = () => {};
  private readonly server = createServer(async (request, response) => {
    const call = await text(request);
    const { method } = JSON.parse(call) as { method: string };
    const answer = method === this.refused ? undefined : await this.forward(call);
    response.writeHead(answer === undefined ? 404 : 200).end(answer);
    if (answer === undefined) this.countRefusal(method);
  });

  constructor(private readonly chainPort: number) {}

  async start(): Promise<void> {
    this.url = await listenOn(this.server, '127.0.0.1', 0);
  }

  stop(): Promise<void> {
    return closeServer(this.server);
  }

  /** Resolves when a method is refused for the second time from now on: the wallet tried again after it had failed. */
  async seesRetry(): Promise<void> {
    this.refusals.clear();
    await new Promise<void>((resolve) => (this.refusedAgain = resolve));
  }

  private countRefusal(method: string): void {
    const count = (this.refusals.get(method) ?? 0) + 1;
    this.refusals.set(method, count);
    if (count > 1) this.refusedAgain();
  }

  private forward(call: string): Promise<string | undefined> {
    const headers = { 'content-type': 'application/json' };
    return fetch(`http://127.0.0.1:${this.chainPort}`, { method: 'POST', headers, body: call }).then(
      (answer) => answer.text(),
      () => undefined,
    );
  }
}

/** In milliseconds; no test waits that long unless something failed. */
const FAILED_AFTER = 120_000;

jest.setTimeout(2 * FAILED_AFTER);

let port: number;
let folder: string;
let chain: Anvil;
let proxy: ChainProxy;
let network: SandboxNetwork;
let server: WalletServer;
let said: string[];
let addresses = 0;

beforeAll(async () => {
  port = await freePort();
  folder = await mkdtemp(join(tmpdir(), 'wallet-chain-'));
  await startChain();
  await prepareChain(chain.url);
  network = sandboxNetwork(chain.url);
});
afterAll(async () => {
  await chain.kill();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  said = [];
  proxy = new ChainProxy(port);
  await proxy.start();
  server = await startWalletServer({
    network: { ...network, rpc_url: proxy.url },
    payer: sandboxPayer,
    port: 0,
    portSetting: 'PORT',
    say: (line) => said.push(line),
  });
});
afterEach(async () => {
  await server.stop();
  await proxy.stop();
});

async function startChain(): Promise<void> {
  chain = await startAnvil({ port, chainId: 31_337, stateFile: join(folder, 'chain.json.gz') });
}

/** One that nobody has paid to. */
function newAddress(): `0x${string}` {
  addresses += 1;
  return `0x${addresses.toString(16).padStart(40, 'a')}`;
}

async function ask(payment: object, headers: Record<string, string> = {}): Promise<[number, unknown]> {
  const response = await fetch(`${server.url}/payments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ unique_asset_id: network.assets[0]!.unique_asset_id, ...payment }),
  });
  return [response.status, await response.json()];
}

function received(address: `0x${string}`): Promise<bigint> {
  const words = `0x70a08231${address.slice(2).padStart(64, '0')}`;
  const call = { to: tokenOf(network.assets[0]!.unique_asset_id), data: words };
  return chainRpc<string>(chain.url, 'eth_call', [call, 'latest']).then(BigInt);
}

async function isPaid(address: `0x${string}`, amount: bigint): Promise<boolean> {
  const isThere = () =>
    received(address).then(
      (value) => value === amount,
      () => false,
    );
  return waitUntil(isThere, { timeoutMs: FAILED_AFTER, everyMs: 50 });
}

/** Until whatever was asked for before was tried again: another try stands in the queue before the second of these. */
async function payTwoOthers(): Promise<void> {
  for (const address of [newAddress(), newAddress()]) {
    await ask({ address, amount: '1' });
    expect(await isPaid(address, 1n)).toBe(true);
  }
}

describe('The sandbox wallet', () => {
  it('pays each requested amount in smallest units, one after the other', async () => {
    const payees = [newAddress(), newAddress(), newAddress()];

    const answers = await Promise.all(payees.map((address, i) => ask({ address, amount: `${i + 1}000` })));

    expect(answers).toEqual(payees.map(() => [202, { accepted: true }]));
    const paid = await Promise.all(payees.map((address, i) => isPaid(address, BigInt(i + 1) * 1_000n)));
    expect(paid).toEqual([true, true, true]);
  });

  it('pays once although the chain’s answer was lost', async () => {
    const address = newAddress();
    proxy.refused = 'eth_getTransactionReceipt';
    const retried = proxy.seesRetry();

    await ask({ address, amount: '13' });
    await retried;
    proxy.refused = undefined;

    await payTwoOthers();
    expect(await received(address)).toBe(13n);
  });

  it('answers pages as a wallet does, only for its own account', async () => {
    const ask = async (method: string, ...params: unknown[]) => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ method, params });
      return (await fetch(`${server.url}/requests`, { method: 'POST', headers, body })).json();
    };
    const { address: from } = sandboxPayer;
    const to = newAddress();
    const other = newAddress();

    expect(await ask('eth_requestAccounts')).toEqual({ result: [from] });
    expect(await ask('eth_chainId')).toEqual({ result: '0x7a69' });
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x7a69' })).toEqual({ result: null });
    expect(await ask('wallet_switchEthereumChain', { chainId: '0x1' })).toMatchObject({
      error: { code: 4902 },
    });
    expect(await ask('eth_sendTransaction', { from: other, to, value: '0x1' })).toMatchObject({
      error: { code: 4100 },
    });
    expect(await ask('eth_signTypedData_v4', other, '{}')).toMatchObject({ error: { code: 4100 } });
    expect(await ask('anvil_setBalance', from, '0x0')).toMatchObject({ error: { code: 4200 } });
    expect(await ask('eth_estimateGas', { to: 7 })).toMatchObject({ error: { code: -32603 } });
    expect(await ask('eth_sendTransaction', { from, to, value: '0x5' })).toEqual({
      result: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
    const balance = () => chainRpc<string>(chain.url, 'eth_getBalance', [to, 'latest']).then(BigInt);
    expect(await waitUntil(async () => (await balance()) === 5n, { timeoutMs: FAILED_AFTER })).toBe(true);
  });
});
