import { Injectable } from '@nestjs/common';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { ENDPOINT_STATES } from './endpoint-health.js';
import { EndpointPool } from './endpoint-pool.js';
import { JsonRpc } from './json-rpc.js';

@Injectable()
export class EndpointMetrics {
  constructor(metrics: Metrics, pool: EndpointPool, rpc: JsonRpc) {
    const calls = metrics.counter({
      name: 'rpc_calls_total',
      help: 'JSON-RPC calls to an endpoint, those in a batch one by one, by purpose and by outcome: ok, or why they failed.',
      labels: ['network', 'endpoint', 'purpose', 'outcome'] as const,
    });
    rpc.onCalls(({ network, position }, purpose, outcome, count) =>
      calls.inc({ network, endpoint: `${position + 1}`, purpose, outcome }, count),
    );
    metrics.gauge(
      {
        name: 'rpc_endpoint_state',
        help: '1 if the RPC endpoint is in this state, otherwise 0. Endpoints are numbered from 1, in the order of rpc_urls.',
        labels: ['network', 'endpoint', 'host', 'state'] as const,
      },
      (gauge) => {
        for (const { network, position, name: host, state: current } of pool.snapshot())
          for (const state of ENDPOINT_STATES)
            gauge.set({ network, endpoint: `${position + 1}`, host, state }, state === current ? 1 : 0);
      },
    );
  }
}
