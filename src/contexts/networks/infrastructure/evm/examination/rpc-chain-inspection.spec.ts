import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { KnownChains, type KnownChain } from '#contexts/networks/domain/foreign-chain.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { EndpointPool } from '../endpoints/endpoint-pool.js';
import { ForwarderDerivations } from '../forwarders/forwarder-derivation.js';
import { JsonRpc } from '../rpc/json-rpc.js';
import { RpcChainInspection } from './rpc-chain-inspection.js';
import { EndpointFailure } from '../rpc/rpc-failures.js';

const NOON = Date.UTC(2026, 0, 1, 12);
const HOUR_MS = 3_600_000;

beforeEach(() => {
  jest.useFakeTimers({ now: NOON });
});
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

/** Two endpoints that nobody asks, both admitted. */
function admitted() {
  const settings = settingsFor(['http://127.0.0.1:8', 'http://127.0.0.1:9']);
  const rpc = new JsonRpc(settings);
  const pool = new EndpointPool(settings, rpc);
  const inspection = new RpcChainInspection(
    settings,
    new NoKnownChains(),
    new ForwarderDerivations(settings),
    rpc,
    pool,
  );
  const endpoints = inspection.endpoints('sandbox');
  const before = inspection.unproven('sandbox');
  for (const endpoint of endpoints) inspection.admit(endpoint);
  return { inspection, pool, endpoints, before };
}

describe('Of which endpoints the chain is to be proven', () => {
  it('is each before it was admitted, and none afterwards', () => {
    const { inspection, endpoints, before } = admitted();

    jest.advanceTimersByTime(HOUR_MS);

    expect(before).toEqual(endpoints);
    expect(inspection.unproven('sandbox')).toEqual([]);
  });

  it.each([
    ['goes on', NOON],
    ['stands still', NOON - 200],
    ['is set back', NOON - HOUR_MS],
  ])('is one that was away, where the clock meanwhile %s', async (_, now) => {
    const { inspection, pool, endpoints } = admitted();
    const first = endpoints[0]!;

    jest.setSystemTime(now);
    pool.failed(first, new EndpointFailure('sandbox', 'no connection', 'connection'));
    jest.advanceTimersByTime(200);
    await pool.asking(first, () => Promise.resolve());
    const back = inspection.unproven('sandbox');
    inspection.admit(first);

    expect(pool.snapshot()[0]?.state).toBe('well');
    expect(back).toEqual([first]);
    expect(inspection.unproven('sandbox')).toEqual([]);
  });

  it('stays one that serves another chain', () => {
    const { inspection, endpoints } = admitted();

    inspection.banish(endpoints[1]!, 'it serves another chain.');

    expect(inspection.unproven('sandbox')).toEqual([endpoints[1]]);
  });
});
