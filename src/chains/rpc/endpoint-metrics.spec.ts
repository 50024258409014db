import { afterEach, describe, expect, it } from '@jest/globals';
import { nodeLayer } from '../evm/testing/node-layer.js';
import { settingsFor } from '#contexts/networks/testing/sample-configuration.js';
import { block } from '#contexts/networks/testing/stub-answers.js';
import { StubNode } from '#contexts/networks/testing/stub-node.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { Scrape } from '#test/support/scrape.js';
import { EndpointMetrics } from './endpoint-metrics.js';

describe('The metric of endpoint states', () => {
  it('shows the state of each endpoint, and its host without credentials', async () => {
    const { pool, rpc } = nodeLayer(
      settingsFor(['http://user:s3cret@one.example/key', 'http://two.example']),
    );
    const metrics = new Metrics();
    void new EndpointMetrics(metrics, pool, rpc);
    const stateOf = async (endpoint: string, state: string) =>
      new Scrape(await metrics.registry.metrics()).sum('payment_collection_rpc_endpoint_state', {
        ...{ network: 'sandbox', endpoint, state },
      });
    const before = await stateOf('1', 'well');

    pool.exclude(rpc.endpoints('sandbox')[0]!, 'It serves another chain.');

    expect([before, await stateOf('1', 'well'), await stateOf('1', 'foreign')]).toEqual([1, 0, 1]);
    expect([await stateOf('2', 'well'), await stateOf('2', 'foreign')]).toEqual([1, 0]);
    const text = await metrics.registry.metrics();
    expect(text).toContain('host="one.example"');
    expect(text).not.toMatch(/s3cret|key/);
  });
});

describe('The metric of calls', () => {
  const nodes = [new StubNode(), new StubNode()];
  afterEach(() => Promise.all(nodes.map((node) => node.stop())));

  it('counts every call of a batch by endpoint, purpose and outcome', async () => {
    const urls = await Promise.all(nodes.map((node) => node.start()));
    const { pool, rpc, reader, secondEndpoint } = nodeLayer(settingsFor(urls, { finality: 'finalized' }));
    const metrics = new Metrics();
    void new EndpointMetrics(metrics, pool, rpc);
    for (const node of nodes) node.answers('eth_getBlockByNumber', block());
    await reader.head();
    await secondEndpoint.blockHeader(16);
    nodes[0]!.misbehaves((response) => void response.writeHead(429).end());
    await reader.head().catch(() => undefined);

    const counted = new Scrape(await metrics.registry.metrics());
    const calls = (labels: object) => counted.sum('payment_collection_rpc_calls_total', { ...labels });
    expect(calls({ endpoint: '1', purpose: 'reading', outcome: 'ok' })).toBe(2);
    expect(calls({ endpoint: '1', purpose: 'reading', outcome: 'rate_limited' })).toBe(2);
    expect(calls({ endpoint: '2', purpose: 'confirmation', outcome: 'ok' })).toBe(1);
  });
});
