import { Logger } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createWalletClient, http } from 'viem';
import { type TestChain, startTestChain } from '../../../../../test/support/chain.js';
import { type TestPlatform, openTestDatabase } from '../../../../../test/support/open-database.js';
import { CheckNetwork } from '../../application/check-network.js';
import { ForeignChain } from '../../domain/foreign-chain.js';
import { NetworkGate } from '../../domain/network-gate.js';
import { deployTestToken, firstAccount } from '../../testing/chain-contracts.js';
import { sampleAsset, settingsFor } from '../../testing/sample-configuration.js';
import { StubNode } from '../../testing/stub-node.js';
import { deployFactory } from '../chain/deploy-factory.js';
import { ForwarderDerivations } from '../chain/forwarder-derivations.js';
import { JsonRpc } from '../chain/json-rpc.js';
import { RpcChainInspection } from '../chain/rpc-chain-inspection.js';
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

function checksOf(settings: NetworksSettings): { checks: NetworkChecks; gate: NetworkGate } {
  const gate = new NetworkGate();
  const derivations = new ForwarderDerivations(settings);
  const inspection = new RpcChainInspection(settings, derivations, new JsonRpc(settings));
  const check = new CheckNetwork(inspection, new PostgresKnownChains(platform.database), gate);
  return { checks: new NetworkChecks(settings, derivations, check, gate), gate };
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
      'chain_id is configured as 1, but its node serves chain 31337',
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
    node.misbehaves((response, request) => {
      void fetch(chain.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      })
        .then((answer) => answer.text())
        .then((text) => response.setHeader('content-type', 'application/json').end(text));
    });
    for (let i = 0; i < 100 && !gate.takesRequests('sandbox'); i += 1)
      await new Promise((r) => setTimeout(r, 100));
    const after = gate.standing('sandbox');
    await checks.beforeApplicationShutdown();
    await node.stop();

    expect(before.kind).toBe('unchecked');
    expect(after).toEqual({ kind: 'ready' });
  });
});
