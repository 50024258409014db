import { Injectable } from '@nestjs/common';
import type { Gauge } from 'prom-client';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import type { SenderView } from '../../application/outbound/show-senders.js';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { OutboundWorkers } from './outbound-workers.js';

type Labels = 'network' | 'address';

/** Updated at start, every three minutes, and when a transaction waits for long. */
@Injectable()
export class GasKeyMetrics {
  private readonly balances: Gauge<Labels>;
  private readonly low: Gauge<Labels>;
  private readonly addresses = new Map<string, readonly string[]>();

  constructor(metrics: Metrics, workers: OutboundWorkers) {
    const labels = ['network', 'address'] as const;
    this.balances = metrics.gauge({
      name: 'gas_key_balance_wei',
      help: 'Balance of a gas key at the last check, in the smallest unit of the native coin.',
      labels,
    });
    this.low = metrics.gauge({
      name: 'gas_key_low',
      help: '1 if the gas key needs a top-up because its balance is low, otherwise 0.',
      labels,
    });
    workers.onSeen((network, views) => this.see(network, views));
  }

  private see(network: string, views: readonly SenderView[]): void {
    // Excludes floats of merchants, whose `isLow` is null.
    const known = views.filter(({ isLow }) => isLow !== null);
    if (views.length > 0 && known.length === 0) return;
    for (const address of this.addresses.get(network) ?? []) {
      this.balances.remove({ network, address });
      this.low.remove({ network, address });
    }
    this.addresses.set(
      network,
      known.map(({ address }) => address),
    );
    for (const { address, account, isLow } of known) {
      if (!(account instanceof ChainUnavailable))
        this.balances.set({ network, address }, Number(account.balance));
      this.low.set({ network, address }, isLow === true ? 1 : 0);
    }
  }
}
