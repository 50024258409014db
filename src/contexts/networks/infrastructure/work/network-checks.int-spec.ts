import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ForeignChain } from '../../domain/foreign-chain.js';
import { CheckedNetworks, passOnTo, until } from '../../testing/checked-networks.js';
import { sampleAsset } from '../../testing/sample-configuration.js';
import { StubNode } from '../../testing/stub-node.js';
import { NetworksSettings } from '../networks-settings.js';
import { PostgresKnownChains } from '../persistence/postgres-known-chains.js';

let networks: CheckedNetworks;

beforeAll(async () => {
  Logger.overrideLogger(false);
  networks = await CheckedNetworks.start();
});
afterAll(() => networks.chain.stop());
beforeEach(() => networks.openDatabase());
afterEach(() => networks.platform.close());

describe('Checking a network against its chain', () => {
  it('lets it take requests where all agrees, also the next time', async () => {
    const { checks, readiness } = networks.checksOf(networks.settingsOf());

    await checks.checkAll();
    await checks.checkAll();

    expect(readiness.get('sandbox')).toEqual({ kind: 'ready' });
  });

  it('keeps the chain it first met, whoever is first', async () => {
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

  it('refuses another chain id than configured', async () => {
    const { checks, readiness } = networks.checksOf(networks.settingsOf({ chain_id: 1 }));

    await expect(checks.checkAll()).rejects.toThrow(
      /configured to be on chain 1, but endpoint 1 \(127.0.0.1:\d+\) serves chain 31337/,
    );
    expect(readiness.isIdentified('sandbox')).toBe(false);
  });

  it('refuses another genesis than stored and names both and the way out', async () => {
    const stored = `0x${'ab'.repeat(32)}`;
    await new PostgresKnownChains(networks.platform.database).remember('sandbox', {
      chainId: 31_337,
      genesisHash: stored,
    });
    const { checks, readiness } = networks.checksOf(networks.settingsOf());

    const error = await checks.checkAll().catch((thrown: unknown) => thrown);

    const genesis = await networks.chain.rpc<{ hash: string }>('eth_getBlockByNumber', ['0x0', false]);
    expect(error).toBeInstanceOf(ForeignChain);
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
    ['a contract that is no factory', () => ({ factory: networks.token }), /no forwarder factory/],
    [
      'a token that is not there',
      () => ({ assets: [sampleAsset({ token: `0x${'11'.repeat(20)}` })] }),
      /not a token contract/,
    ],
    [
      'other decimals',
      () => ({ assets: [sampleAsset({ token: networks.token, decimals: 8 })] }),
      /has 6 decimals, not the configured 8/,
    ],
  ])('watches a network with %s, but lets it take no requests', async (_, changes, problem) => {
    const { checks, readiness } = networks.checksOf(networks.settingsOf(changes()));

    await checks.checkAll();

    expect(readiness.get('sandbox')).toMatchObject({
      kind: 'mismatched',
      problems: expect.arrayContaining([expect.stringMatching(problem)]),
    });
    expect(readiness.isIdentified('sandbox')).toBe(true);
    expect(readiness.takesRequests('sandbox')).toBe(false);
  });

  it('starts without the node, and lets the network take requests once it is back', async () => {
    const node = new StubNode();
    const url = await node.start();
    node.misbehaves((response) => void response.destroy());
    const { checks, readiness } = networks.checksOf(networks.settingsOf({ rpc_urls: [url] }));

    await checks.onApplicationBootstrap();
    const before = readiness.get('sandbox');
    node.misbehaves(passOnTo(networks.chain.url));
    await until(() => readiness.takesRequests('sandbox'));
    const after = readiness.get('sandbox');
    await checks.beforeApplicationShutdown();
    await node.stop();

    expect(before.kind).toBe('unchecked');
    expect(after).toEqual({ kind: 'ready' });
  });

  it('goes on with one network while the endpoint of another never answers', async () => {
    const [slow, back] = [new StubNode(), new StubNode()];
    for (const node of [slow, back]) node.misbehaves((response) => void response.destroy());
    const settings = [
      networks.settingsOf({ network: 'slow', rpc_urls: [await slow.start()] }),
      networks.settingsOf({ rpc_urls: [await back.start()] }),
    ];
    const both = settings.flatMap((each) => each.networks);
    const { checks, readiness } = networks.checksOf(
      new NetworksSettings(both, { ...settings[0]!.patience, callTimeoutMs: 60_000 }),
    );

    await checks.onApplicationBootstrap();
    let stalled = false;
    slow.misbehaves(() => (stalled = true));
    await until(() => stalled);
    back.misbehaves(passOnTo(networks.chain.url));
    await until(() => readiness.takesRequests('sandbox'));
    const after = readiness.get('sandbox');
    await slow.stop();
    await checks.beforeApplicationShutdown();
    await back.stop();

    expect(after).toEqual({ kind: 'ready' });
  });
});
