import { startTestChain, type TestChain } from '#test/support/chain.js';
import { openTestDatabase, type TestPlatform } from '#test/support/open-database.js';
import { ChainTypes, type ChainType } from '../../application/chain-types.js';
import { CheckNetworkReadiness } from '../../application/check-network-readiness.js';
import { VerifyEndpoints } from '../../application/verify-endpoints.js';
import { NetworkReadiness } from '../../domain/network-readiness.js';
import { EndpointPool } from '#chains/rpc/endpoint-pool.js';
import { EVM_ENDPOINT_SETTINGS } from '#chains/evm/evm-network.js';
import { ForwarderDerivations } from '#chains/evm/forwarders/forwarder-derivations.js';
import { JsonRpc } from '#chains/rpc/json-rpc.js';
import { RpcChainInspection } from '#chains/evm/check/rpc-chain-inspection.js';
import type { NetworksSettings } from '../networks-settings.js';
import { PostgresKnownChains } from '../persistence/postgres-known-chains.js';
import { NetworkReadinessChecks } from '../work/network-readiness-checks.js';
import { deployFactory, deployTestToken } from '#chains/evm/testing/chain-contracts.js';
import { sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { type Misbehaviour, StubNode } from '../../testing/stub-node.js';
import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WrongChain } from '../../domain/wrong-chain.js';
import { OTHER_HASH, block } from '../../testing/stub-answers.js';
import { EndpointFailure } from '#chains/rpc/rpc-failures.js';

/** Runs network checks of a chain with token and factory, each time on a separate database. */
class CheckedNetworks {
  platform!: TestPlatform;

  private constructor(
    readonly chain: TestChain,
    readonly token: string,
  ) {}

  static async start(): Promise<CheckedNetworks> {
    const chain = await startTestChain();
    const token = await deployTestToken(chain.url, 6);
    await deployFactory(chain.url);
    return new CheckedNetworks(chain, token.toLowerCase());
  }

  async openDatabase(): Promise<void> {
    this.platform = await openTestDatabase();
  }

  checksOf(settings: NetworksSettings) {
    const readiness = new NetworkReadiness();
    const derivations = new ForwarderDerivations(settings);
    const rpc = new JsonRpc(settings);
    const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINT_SETTINGS]);
    const known = new PostgresKnownChains(this.platform.database);
    const inspection = new RpcChainInspection(settings, known, derivations, rpc, pool);
    const chainTypes = new ChainTypes(settings.networks, [
      { name: 'evm', inspection, chainOf: () => ({}) } as object as ChainType,
    ]);
    const prove = new VerifyEndpoints(chainTypes, known);
    const check = new CheckNetworkReadiness(chainTypes, prove, readiness);
    const checks = new NetworkReadinessChecks(settings, check, readiness);
    return { checks, check, readiness, pool };
  }

  settingsOf(changes: object = {}): NetworksSettings {
    return settingsFor(this.chain.url, { assets: [sampleAsset({ token: this.token })], ...changes });
  }
}

/** Passes each request on to the node at this URL. */
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

/** Waits until the condition holds, for a minute at most. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 600 && !isSo(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
}

let networks: CheckedNetworks;

beforeAll(async () => {
  Logger.overrideLogger(false);
  networks = await CheckedNetworks.start();
});
afterAll(() => networks.chain.stop());
beforeEach(() => networks.openDatabase());
afterEach(() => networks.platform.close());

describe('Checking a network against its chain', () => {
  it('keeps the chain that it met first, whichever process is first', async () => {
    const processes = [
      networks.checksOf(networks.settingsOf()),
      networks.checksOf(networks.settingsOf()),
      networks.checksOf(networks.settingsOf()),
    ];

    await Promise.all(processes.map(({ checks }) => checks.checkAll()));

    const genesis = await networks.chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(
      await networks.platform.database.query(
        'SELECT network, chain_id, genesis_hash FROM networks.known_chains',
      ),
    ).toEqual([{ network: 'sandbox', chainId: 31337, genesisHash: genesis.hash }]);
  });

  it('refuses another genesis than the stored one, and names both and the remedy', async () => {
    const stored = `0x${'ab'.repeat(32)}`;
    await new PostgresKnownChains(networks.platform.database).remember('sandbox', {
      chainId: 31_337,
      genesisHash: stored,
    });
    const { checks, readiness } = networks.checksOf(networks.settingsOf());

    const error = await checks.checkAll().catch((thrown: unknown) => thrown);

    const genesis = await networks.chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(error).toBeInstanceOf(WrongChain);
    for (const part of [stored, genesis.hash, 'npm run reset']) expect(String(error)).toContain(part);
    expect(readiness.isIdentified('sandbox')).toBe(false);
  });

  it('refuses a chain that is known under another name', async () => {
    await networks.checksOf(networks.settingsOf({ network: 'first' })).checks.checkAll();

    await expect(networks.checksOf(networks.settingsOf()).checks.checkAll()).rejects.toThrow(
      'as network first',
    );
  });

  it.each([
    ['a factory that is not there', () => ({ factory: `0x${'11'.repeat(20)}` }), /no forwarder factory/],
    [
      'other decimals',
      () => ({ assets: [sampleAsset({ token: networks.token, decimals: 8 })] }),
      /has 6 decimals, not the configured 8/,
    ],
  ])(
    'watches a network that does not match its chain, but lets it take no requests: %s',
    async (_, changes, problem) => {
      const { checks, readiness } = networks.checksOf(networks.settingsOf(changes()));

      await checks.checkAll();

      expect(readiness.get('sandbox')).toMatchObject({
        kind: 'mismatched',
        problems: expect.arrayContaining([expect.stringMatching(problem)]),
      });
      expect(readiness.isIdentified('sandbox')).toBe(true);
      expect(readiness.acceptsPaymentRequests('sandbox')).toBe(false);
    },
  );
});

describe('Checking a network of several endpoints', () => {
  const nodes: StubNode[] = [];
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()));
  });

  /** Starts a node of another chain: with another genesis block, or also another chain id. */
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
  ])('continues with the other endpoints if any one of them serves another %s', async (_, chainId) => {
    await networks.checksOf(networks.settingsOf()).checks.checkAll();
    const foreign = await foreignNode(chainId);
    const last = networks.checksOf(
      networks.settingsOf({
        rpc_urls: [networks.chain.url, networks.chain.url.replace('127.0.0.1', 'localhost'), foreign],
      }),
    );
    const first = networks.checksOf(networks.settingsOf({ rpc_urls: [foreign, networks.chain.url] }));

    await Promise.all([last.checks.checkAll(), first.checks.checkAll()]);

    expect([last.readiness.get('sandbox').kind, first.readiness.get('sandbox').kind]).toEqual([
      'ready',
      'ready',
    ]);
    expect(states(last.pool)).toEqual(['well', 'well', 'foreign']);
    expect(states(first.pool)).toEqual(['foreign', 'well']);
    expect(first.pool.snapshot()[0]?.reason).toMatch(/endpoint 1 \(127.0.0.1:\d+\) serves chain/);
  });

  it('refuses to start if all of them serve another chain', async () => {
    const { checks, readiness } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [await foreignNode(1), await foreignNode(10)] }),
    );

    await expect(checks.checkAll()).rejects.toBeInstanceOf(WrongChain);
    expect(readiness.get('sandbox').kind).toBe('foreign');
  });

  it('takes neither of two chains with the right id for a network that is met for the first time', async () => {
    const { checks, pool } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [networks.chain.url, await foreignNode(31_337)] }),
    );

    await expect(checks.checkAll()).rejects.toThrow('its endpoints serve different chains with id 31337');
    expect(states(pool)).toEqual(['foreign', 'foreign']);
    expect(await networks.platform.database.query('SELECT network FROM networks.known_chains')).toEqual([]);
  });

  it('uses no endpoint that has not shown its chain, and admits it once it has', async () => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves((response) => void response.destroy());
    const { checks, readiness, pool } = networks.checksOf(
      networks.settingsOf({ rpc_urls: [networks.chain.url, await proxy.start()] }),
    );

    await checks.onApplicationBootstrap();
    const before = states(pool);
    proxy.misbehaves(passOnTo(networks.chain.url));
    await until(() => states(pool)[1] === 'well');
    await checks.beforeApplicationShutdown();

    expect(before).toEqual(['well', 'unproven']);
    expect(readiness.get('sandbox')).toEqual({ kind: 'ready' });
  });

  it.each([
    ['keeps out an endpoint that comes back as another chain', 2, 'ready'],
    ['shuts the network when its only endpoint comes back as another chain', 1, 'foreign'],
  ])('%s', async (_, count, kind) => {
    const proxy = new StubNode();
    nodes.push(proxy);
    proxy.misbehaves(passOnTo(networks.chain.url));
    const other = await foreignNode(1);
    const rpc_urls = [await proxy.start(), networks.chain.url].slice(0, count);
    const { checks, readiness, pool } = networks.checksOf(networks.settingsOf({ rpc_urls }));
    await checks.onApplicationBootstrap();
    const before = [readiness.get('sandbox').kind, ...states(pool)];

    proxy.misbehaves(passOnTo(other));
    pool.recordFailure(
      pool.chooseReadingEndpoint('sandbox'),
      new EndpointFailure('sandbox', 'no connection', 'connection'),
    );
    await until(() => states(pool)[0] === 'foreign');
    await checks.beforeApplicationShutdown();

    expect(before).toEqual(['ready', ...rpc_urls.map(() => 'well')]);
    expect(readiness.get('sandbox').kind).toBe(kind);
    expect(states(pool)[0]).toBe('foreign');
  });
});
