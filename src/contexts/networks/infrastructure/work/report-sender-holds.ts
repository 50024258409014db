import { Injectable } from '@nestjs/common';
import { Metrics } from '#shared/platform/metrics/metrics.js';
import { SenderHolds } from '../../application/outbound/sender-holds.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { NETWORKS_LOG_EVENTS } from '../log-events.js';

/** Uses the last check: once a minute for the gas key, and before each payment for a float. */
@Injectable()
export class ReportSenderHolds {
  private readonly log = new OperatorLogWriter('sending', NETWORKS_LOG_EVENTS);

  constructor(metrics: Metrics, holds: SenderHolds) {
    const gauge = metrics.gauge({
      name: 'sender_held',
      help: '1 if the service sends no transactions with the key because the chain has transactions from it that are not in the database, otherwise 0.',
      labels: ['network', 'address'] as const,
    });
    holds.onSeen(({ network, key, address }, hold) => {
      gauge.set({ network, address }, hold === null ? 0 : 1);
      const account = `${network} ${address}`;
      if (hold === null) return this.log.forgetLoggedState(account);
      const reason = hold.message;
      this.log.writeOnce(account, reason, 'sender.held', { network, key, address, reason });
    });
  }
}
