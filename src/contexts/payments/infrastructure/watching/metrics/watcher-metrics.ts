import { Injectable } from '@nestjs/common';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { FollowChain } from '#contexts/payments/application/watching/follow-chain.js';

/** What only the process knows that reads a network. */
@Injectable()
export class WatcherMetrics {
  constructor(metrics: Metrics, followChain: FollowChain) {
    metrics.gauge(
      {
        name: 'network_lag_blocks',
        help: "Blocks of the network's node that were not read yet at the end of the last turn; by its watcher alone.",
        labels: ['network'],
      },
      (gauge) => {
        gauge.reset();
        for (const [network, blocks] of followChain.blocksBehind()) gauge.set({ network }, blocks);
      },
    );
  }
}
