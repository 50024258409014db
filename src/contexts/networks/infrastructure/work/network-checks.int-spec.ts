import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createWalletClient, http } from 'viem';
import { type TestChain, startTestChain } from '../../../../../test/support/chain.js';
import { type TestPlatform, openTestDatabase } from '../../../../../test/support/open-database.js';
import { CheckNetwork } from '../../application/check-network.js';
import { ProveEndpoints } from '../../application/prove-endpoints.js';
import { ForeignChain } from '../../domain/foreign-chain.js';
import { NetworkGate } from '../../domain/network-gate.js';
import { deployTestToken, firstAccount } from '../../testing/chain-contracts.js';
import { sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { OTHER_HASH, block } from '../../testing/stub-answers.js';
import { type Misbehaviour, StubNode } from '../../testing/stub-node.js';
import { deployFactory } from '../chain/deploy-factory.js';
import { EndpointPool } from '../chain/endpoint-pool.js';
import { ForwarderDerivations } from '../chain/forwarder-derivations.js';
import { JsonRpc } from '../chain/json-rpc.js';
import { RpcChainInspection } from '../chain/rpc-chain-inspection.js';
import { EndpointFailure } from '../chain/rpc-failures.js';
import { configuredNetworks } from '../configuration/configured-networks.js';
import type { NetworksSettings } from '../networks-settings.js';
import { PostgresKnownChains } from '../persistence/postgres-known-chains.js';
import { NetworkChecks } from './network-checks.js';

let chain: TestChain;
let platform: TestPlatform;
let token: string;

beforeAll(async () => {
  Logger.overrideLogger(false);
  chain = await startTestChain();
  token = await deployTestToken(chain.url, 6);
  const account = await firstAccount(chain.url);
  await deployFactory(createWalletClient({ transport: http(chain.url), account }));
});
afterAll(() => chain.stop());
beforeEach(async () => {
  platform = await openTestDatabase();
});
afterEach(() => platform.close());

function checksOf(settings: NetworksSettings) {
  const gate = new NetworkGate();
  const derivations = new ForwarderDerivations(settings);
  const rpc = new JsonRpc(settings);
  const pool = new EndpointPool(settings, rpc);
  const inspection = new RpcChainInspection(settings, derivations, rpc, pool);
  const prove = new ProveEndpoints(inspection, new PostgresKnownChains(platform.database));
  const check = new CheckNetwork(inspection, prove, gate);
  return { checks: new NetworkChecks(configuredNetworks(settings, derivations), check, gate), gate, pool };
}

const settingsOf = (changes: object = {}) =>
  settingsFor(chain.url, { assets: [sampleAsset({ token: token.toLowerCase() })], ...changes });

describe('Checking a network against its chain', () => {
  it('lets it take requests where all agrees, also the next time', async () => {
    const { checks, gate } = checksOf(settingsOf());

    await checks.checkAll();
    await checks.checkAll();

    expect(gate.standing('sandbox')).toEqual({ kind: 'ready' });
  });

  it('keeps the chain it first met, whoever is first', async () => {
    const processes = [checksOf(settingsOf()), checksOf(settingsOf()), checksOf(settingsOf())];

    await Promise.all(processes.map(({ checks }) => checks.checkAll()));

    const genesis = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(
      await platform.database.query('SELECT network, chain_id, genesis_hash FROM networks.known_chains'),
    ).toEqual([{ network: 'sandbox', chain_id: '31337', genesis_hash: genesis.hash }]);
  });

  it('refuses another chain id than configured', async () => {
    const { checks, gate } = checksOf(settingsOf({ chain_id: 1 }));

    await expect(checks.checkAll()).rejects.toThrow(
      /chain_id is configured as 1, but endpoint 1 \(127.0.0.1:\d+\) serves chain 31337/,
    );
    expect(gate.isIdentified('sandbox')).toBe(false);
  });

  it('refuses another genesis than stored and names both and the way out', async () => {
    const stored = `0x${'ab'.repeat(32)}`;
    await new PostgresKnownChains(platform.database).remember('sandbox', {
      chainId: 31_337,
      genesisHash: stored,
    });
    const { checks, gate } = checksOf(settingsOf());

    const error = await checks.checkAll().catch((thrown: unknown) => thrown);

    const genesis = await chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(error).toBeInstanceOf(ForeignChain);
    for (const part of [stored, genesis.hash, 'npm run reset']) expect(String(error)).toContain(part);
    expect(gate.isIdentified('sandbox')).toBe(false);
  });

  it('refuses a chain that is known under another name', async () => {
    await checksOf(settingsOf({ network: 'first' })).checks.checkAll();

    await expect(checksOf(settingsOf()).checks.checkAll()).rejects.toThrow('as network first');
  });

  it.each([
    ['a factory that is not there', () => ({ factory: `0x${'11'.repeat(20)}` }), /no forwarder factory/],
    ['a contract that is no factory', () => ({ factory: token.toLowerCase() }), /no forwarder factory/],
    [
      'a token that is not there',
      () => ({ assets: [sampleAsset({ token: `0x${'11'.repeat(20)}` })] }),
      /not a token contract/,
    ],
    [
      'other decimals',
      () => ({ assets: [sampleAsset({ token: token.toLowerCase(), decimals: 8 })] }),
      /has 6 decimals, not the configured 8/,
    ],
  ])('watches a network with %s, but lets it take no requests', async (_, changes, problem) => {
    const { checks, gate } = checksOf(settingsOf(changes()));

    await checks.checkAll();

    expect(gate.standing('sandbox')).toMatchObject({
      kind: 'disagrees',
      problems: expect.arrayContaining([expect.stringMatching(problem)]),
    });
    expect(gate.isIdentified('sandbox')).toBe(true);
    expect(gate.takesRequests('sandbox')).toBe(false);
  });

  it('starts without the node, and lets the network take requests once it is back', async () => {
    const node = new StubNode();
    const url = await node.start();
    node.misbehaves((response) => void response.destroy());
    const { checks, gate } = checksOf(settingsOf({ rpc_urls: [url] }));

    await checks.onApplicationBootstrap();
    const before = gate.standing('sandbox');
    node.misbehaves(passOnTo(chain.url));
    await until(() => gate.takesRequests('sandbox'));
    const after = gate.standing('sandbox');
    await checks.beforeApplicationShutdown();
    await node.stop();

    expect(before.kind).toBe('unchecked');
    expect(after).toEqual({ kind: 'ready' });
  });
});

describe('Checking a network of several endpoints', () => {
  const nodes: StubNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  /** A node of another chain, by its genesis or its id too. */
  async function foreignNode(chainId: number, genesis = OTHER_HASH): Promise<string> {
    const node = new StubNode();
    nodes.push(node);
    node.answers('eth_chainId', `0x${chainId.toString(16)}`);
    node.answers('eth_getBlockByNumber', block({ number: '0x0', hash: genesis }));
    return node.start();
  }

  const states = (pool: EndpointPool) => pool.snapshot().map(({ state }) => state);

  it.each([
    ['chain id', 1],
    ['genesis', 31_337],
  ])('goes on with the others where one serves another %s, whichever it is', async (_, chainId) => {
    await checksOf(settingsOf()).checks.checkAll();
    const foreign = await foreignNode(chainId);
    const last = checksOf(
      settingsOf({ rpc_urls: [chain.url, chain.url.replace('127.0.0.1', 'localhost'), foreign] }),
    );
    const first = checksOf(settingsOf({ rpc_urls: [foreign, chain.url] }));

    await Promise.all([last.checks.checkAll(), first.checks.checkAll()]);

    expect([last.gate.standing('sandbox').kind, first.gate.standing('sandbox').kind]).toEqual([
      'ready',
      'ready',
    ]);
    expect(states(last.pool)).toEqual(['well', 'well', 'foreign']);
    expect(states(first.pool)).toEqual(['foreign', 'well']);
    expect(first.pool.snapshot()[0]?.reason).toMatch(/endpoint 1 \(127.0.0.1:\d+\) serves chain/);
  });

  it('logs the foreign one once, by its place and host', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const { checks } = checksOf(settingsOf({ rpc_urls: [chain.url, await foreignNode(1)] }));

    await checks.checkAll();
    await checks.checkAll();

    expect(error.mock.calls.map(([line]) => String(line))).toEqual([
      expect.stringMatching(/endpoint 2 \(127.0.0.1:\d+\) serves chain 1 .*Nothing is read from it/),
    ]);
    error.mockRestore();
  });

  it('refuses to start where all of them serve another chain', async () => {
    const { checks, gate } = checksOf(
      settingsOf({ rpc_urls: [await foreignNode(1), await foreignNode(10)] }),
    );

    await expect(checks.checkAll()).rejects.toBeInstanceOf(ForeignChain);
    expect(gate.standing('sandbox').kind).toBe('foreign');
  });

  it('starts where one serves another chain and the other does not answer', async () => {
    const { checks, gate } = checksOf(settingsOf({ rpc_urls: [await foreignNode(1), 'http://127.0.0.1:9'] }));

    await checks.checkAll();

    expect(gate.standing('sandbox').kind).toBe('unchecked');
  });

  it('takes neither of two chains with the right id for a network that is met for the first time', async () => {
    const { checks, pool } = checksOf(settingsOf({ rpc_urls: [chain.url, await foreignNode(31_337)] }));

    await expect(checks.checkAll()).rejects.toThrow('its endpoints serve different chains with id 31337');
    expect(states(pool)).toEqual(['foreign', 'foreign']);
    expect(await platform.database.query('SELECT network FROM networks.known_chains')).toEqual([]);
  });

  it('uses no endpoint that has not shown its chain, and admits it once it has', async () => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves((response) => void response.destroy());
    const { checks, gate, pool } = checksOf(settingsOf({ rpc_urls: [chain.url, await proxy.start()] }));

    await checks.onApplicationBootstrap();
    const before = states(pool);
    proxy.misbehaves(passOnTo(chain.url));
    await until(() => states(pool)[1] === 'well');
    await checks.beforeApplicationShutdown();

    expect(before).toEqual(['well', 'unproven']);
    expect(gate.standing('sandbox')).toEqual({ kind: 'ready' });
  });

  it.each([
    ['keeps out an endpoint that comes back as another chain', 2, 'ready'],
    ['shuts the network when its only endpoint comes back as another chain', 1, 'foreign'],
  ])('%s', async (_, count, kind) => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves(passOnTo(chain.url));
    const other = await foreignNode(1);
    const rpc_urls = [await proxy.start(), chain.url].slice(0, count);
    const { checks, gate, pool } = checksOf(settingsOf({ rpc_urls }));
    await checks.onApplicationBootstrap();
    const before = [gate.standing('sandbox').kind, ...states(pool)];

    proxy.misbehaves(passOnTo(other));
    pool.failed(pool.reading('sandbox'), new EndpointFailure('sandbox', 'no connection', 'connection'));
    await until(() => states(pool)[0] === 'foreign');
    await checks.beforeApplicationShutdown();

    expect(before).toEqual(['ready', ...rpc_urls.map(() => 'well')]);
    expect(gate.standing('sandbox').kind).toBe(kind);
    expect(states(pool)[0]).toBe('foreign');
  });
});

function passOnTo(url: string): Misbehaviour {
  return (response, request) => {
    void fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    })
      .then((answer) => answer.text())
      .then((text) => response.setHeader('content-type', 'application/json').end(text));
  };
}

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 100 && !isSo(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
}
