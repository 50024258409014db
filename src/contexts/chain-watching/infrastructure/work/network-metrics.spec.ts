import { describe, expect, it } from '@jest/globals';
import { Scrape } from '#test/support/scrape.js';
import type { DatabaseMetricsCollector } from '#shared/platform/metrics/database-metrics-collector.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { NetworkMetrics } from './network-metrics.js';

const STATE = {
  headNumber: 9,
  finalNumber: null,
  secondsBehind: 7,
  maxLagSeconds: 60,
  secondsSincePending: null,
};

describe('Each metric of a network', () => {
  it('excludes networks that were removed from the configuration', async () => {
    const metrics = new Metrics();
    const add = ({ apply }: Parameters<DatabaseMetricsCollector['addQuery']>[0]) =>
      apply(['base', 'removed'].map((network) => ({ ...STATE, network, findings: 2 })));
    const cache = (networks: object[]) => ({ secondsSinceTurn: 3, networks });
    const network = (name: string) => (name === 'base' ? {} : undefined);
    new NetworkMetrics(metrics, { addQuery: add } as never, { cache } as never, { network } as never);

    const scrape = new Scrape(await metrics.registry.metrics());
    const of = (name: string) =>
      ['base', 'removed'].map((each) => scrape.sum(`payment_collection_${name}`, { network: each }));
    expect(of('network_lag_seconds')).toEqual([7, 0]);
    expect(of('chain_audit_findings')).toEqual([2, 0]);
  });
});
