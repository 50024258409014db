import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KnownChains, type KnownChain } from '#contexts/networks/domain/wrong-chain.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { block } from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { EVM_ENDPOINT_SETTINGS } from '../evm-network.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivations.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { VerifiedEndpoints } from './verified-endpoints.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';
import { EndpointFailure } from '../../rpc/rpc-failures.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

afterEach(() => {
  jest.useRealTimers();
});

class NoKnownChains extends KnownChains {
  remember(): Promise<KnownChain> {
    return Promise.reject(new Error('Nothing is stored here.'));
  }

  find(): Promise<null> {
    return Promise.resolve(null);
  }
}

function inspecting(urls: string[]) {
  const settings = settingsFor(urls);
  const rpc = new JsonRpc(settings);
  const pool = new EndpointPool(settings, rpc, [EVM_ENDPOINT_SETTINGS]);
  const inspection = new RpcChainInspection(
    settings,
    new NoKnownChains(),
    new ForwarderDerivations(settings),
    rpc,
    pool,
  );
  return { inspection, pool, proven: new VerifiedEndpoints(settings, inspection, rpc) };
}

/** Configures two endpoints, both admitted, that are never called. */
function admitted() {
  const { inspection, pool } = inspecting(['http://127.0.0.1:8', 'http://127.0.0.1:9']);
  const endpoints = inspection.endpoints('sandbox');
  const before = inspection.unverifiedEndpoints('sandbox');
  for (const endpoint of endpoints) inspection.admit(endpoint);
  return { inspection, pool, endpoints, before };
}

describe('The list of endpoints whose chain must be proven', () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: NOON });
  });

  it('contains each endpoint before it was admitted, and none afterwards', () => {
    const { inspection, endpoints, before } = admitted();

    jest.advanceTimersByTime(HOUR_MS);

    expect(before).toEqual(endpoints);
    expect(inspection.unverifiedEndpoints('sandbox')).toEqual([]);
  });

  it.each([
    ['goes on', NOON],
    ['stands still', NOON - 200],
    ['is set back', NOON - HOUR_MS],
  ])('contains an endpoint again that was away, also if the clock %s', async (_, now) => {
    const { inspection, pool, endpoints } = admitted();
    const first = endpoints[0]!;

    jest.setSystemTime(now);
    pool.recordFailure(first, new EndpointFailure('sandbox', 'no connection', 'connection'));
    jest.advanceTimersByTime(200);
    await pool.asking(first, () => Promise.resolve());
    const back = inspection.unverifiedEndpoints('sandbox');
    inspection.admit(first);

    expect(pool.snapshot()[0]?.state).toBe('well');
    expect(back).toEqual([first]);
    expect(inspection.unverifiedEndpoints('sandbox')).toEqual([]);
  });
});

describe('An endpoint for calls besides reading', () => {
  const node = new StubNode();
  afterEach(() => node.stop());

  it('proves its chain until it is admitted, and again only after a failure', async () => {
    const { inspection, proven } = inspecting([await node.start()]);
    const [endpoint] = inspection.endpoints('sandbox');
    node.answers('eth_chainId', '0x7a69');
    node.answers('eth_getBlockByNumber', block({ number: '0x0' }));
    const counts: number[] = [];
    const ask = async (work: () => Promise<unknown>) => {
      await proven.first('sandbox', work).catch(() => undefined);
      counts.push(node.askedFor('eth_chainId').length);
    };
    const fails = (kind: 'connection' | 'rate_limited') => () =>
      Promise.reject(new EndpointFailure('sandbox', 'no answer', kind));

    for (let i = 0; i < 2; i += 1) await ask(() => Promise.resolve());
    inspection.admit(endpoint!);
    for (let i = 0; i < 2; i += 1) await ask(() => Promise.resolve());
    await ask(fails('rate_limited'));
    await ask(fails('connection'));
    for (let i = 0; i < 2; i += 1) await ask(() => Promise.resolve());

    expect(counts).toEqual([1, 2, 2, 2, 2, 2, 3, 3]);
    await expect(proven.agreed('sandbox', fails('connection'))).rejects.toThrow('no answer');
  });
});
