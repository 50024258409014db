import { describe, expect, it } from '@jest/globals';
import { nodeLayer } from '../evm/testing/node-layer.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { Scrape } from '#test/support/scrape.js';
import { EndpointMetrics } from './endpoint-metrics.js';

describe('The metric of endpoint states', () => {
  it('shows the state of each endpoint, and its host without credentials', async () => {
    const { pool, rpc } = nodeLayer(
      settingsFor(['http://user:s3cret@one.example/key', 'http://two.example']),
    );
    const metrics = new Metrics();
    void new EndpointMetrics(metrics, pool);
    const stateOf = async (endpoint: string, state: string) =>
      new Scrape(await metrics.registry.metrics()).sum('payment_collection_rpc_endpoint_state', {
        ...{ network: 'sandbox', endpoint, state },
      });
    const before = await stateOf('1', 'well');

    pool.banish(rpc.endpoints('sandbox')[0]!, 'It serves another chain.');

    expect([before, await stateOf('1', 'well'), await stateOf('1', 'foreign')]).toEqual([1, 0, 1]);
    expect([await stateOf('2', 'well'), await stateOf('2', 'foreign')]).toEqual([1, 0]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('host="one.example"');
    expect(text).not.toMatch(/s3cret|key/);
  });
});
