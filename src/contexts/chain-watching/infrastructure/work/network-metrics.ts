import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { DatabaseMetricsCollector } from '#shared/platform/metrics/database-metrics-collector.js';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  PostgresWatchingStates,
  WATCHING_STATE_SQL,
  type WatchingRow,
} from '../persistence/postgres-watching-states.js';
import { FollowChain } from '../../application/follow-chain.js';

type AuditRow = Readonly<{ network: string; findings: number }>;

/** Every process exports the same values. */
@Injectable()
export class NetworkMetrics {
  constructor(
    metrics: Metrics,
    scrape: DatabaseMetricsCollector,
    states: PostgresWatchingStates,
    catalogue: NetworkCatalogue,
  ) {
    // A network that was removed from the configuration is no longer read. Its growing lag must not raise an alert.
    const isConfigured = ({ network }: { readonly network: string }) =>
      catalogue.network(network) !== undefined;
    const turnAge = metrics.gauge({
      name: 'worker_turn_age_seconds',
      help: 'Time since any worker completed a cycle.',
    });
    const head = ofNetwork('network_head_block', 'Number of the newest block that a worker has read.');
    const final = ofNetwork('network_final_block', 'Number of the newest block that is final.');
    const lag = ofNetwork('network_lag_seconds', 'Age of the newest block that a worker has read.');
    const most = ofNetwork(
      'network_max_lag_seconds',
      'Limit for the lag and for disagreement. Beyond it, new payment requests are rejected.',
    );
    const disagreement = ofNetwork(
      'network_disagreement_seconds',
      'Time since the RPC endpoints began to disagree, or 0 if they agree.',
    );
    const pending = ofNetwork(
      'network_pending_age_seconds',
      'Time since the mempools were last read completely. Only for networks on which unconfirmed transfers are read.',
    );
    const watched = ofNetwork(
      'network_watched',
      '1 if the network accepts new payment requests, otherwise 0.',
    );
    scrape.addQuery({
      sql: WATCHING_STATE_SQL,
      gauges: [turnAge, head, final, lag, most, disagreement, pending, watched],
      apply(rows) {
        const { secondsSinceTurn, networks } = states.cache(rows as unknown as readonly WatchingRow[]);
        if (secondsSinceTurn !== null) turnAge.set(secondsSinceTurn);
        for (const { network, ...state } of networks.filter(isConfigured)) {
          head.set({ network }, state.headNumber);
          if (state.finalNumber !== null) final.set({ network }, state.finalNumber);
          lag.set({ network }, Math.max(0, state.secondsBehind));
          if (state.maxLagSeconds !== null) most.set({ network }, state.maxLagSeconds);
          disagreement.set({ network }, Math.max(0, state.secondsInDisagreement ?? 0));
          if (state.secondsSincePending !== null)
            pending.set({ network }, Math.max(0, state.secondsSincePending));
          watched.set({ network }, state.isWatched ? 1 : 0);
        }
      },
    });

    const findings = ofNetwork(
      'chain_audit_findings',
      'Differences between the books and the chain that the last completed audit found.',
    );
    scrape.addQuery({
      sql: `SELECT c.network, last.findings FROM payments.chain_cursors c CROSS JOIN LATERAL (
          SELECT jsonb_array_length(a.findings) AS findings FROM payments.chain_audits a
          WHERE a.network = c.network AND a.ended_at IS NOT NULL ORDER BY a.began_at DESC LIMIT 1) AS last`,
      gauges: [findings],
      apply(rows) {
        const audited = (rows as readonly AuditRow[]).filter(isConfigured);
        for (const { network, findings: found } of audited) findings.set({ network }, found);
      },
    });

    function ofNetwork(name: string, help: string): Gauge<'network'> {
      return metrics.gauge({ name, help, labels: ['network'] });
    }
  }
}

@Injectable()
export class WatcherMetrics {
  constructor(metrics: Metrics, followChain: FollowChain) {
    metrics.gauge(
      {
        name: 'network_lag_blocks',
        help: 'Blocks that the node has and the watcher had not read at the end of its last cycle. Only from the watching worker.',
        labels: ['network'],
      },
      (gauge) => {
        gauge.reset();
        for (const [network, blocks] of followChain.blocksBehind()) gauge.set({ network }, blocks);
      },
    );
  }
}
