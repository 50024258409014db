import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PostgresInactiveWebhookDeliveries } from '../persistence/postgres-inactive-webhook-deliveries.js';
import { PruneDeliveries, type FinalAttemptCursor } from '../persistence/prune-deliveries.js';

const SWEEP_INTERVAL_MS = 1_000;
/** No webhook delays the cleanup of the others. */
const MAX_SWEEP_MS_PER_WEBHOOK = 1_000;

/** Deliveries that a deactivation left, for lack of time or after a crash. */
@Injectable()
export class InactiveWebhookDeliverySweeper extends BackgroundWork {
  constructor(private readonly inactiveWebhookDeliveries: PostgresInactiveWebhookDeliveries) {
    super([new BackgroundLoop({ name: 'webhook sweeper', idleMs: SWEEP_INTERVAL_MS }, () => this.sweep())]);
  }

  private async sweep(): Promise<boolean> {
    for (const webhook of await this.inactiveWebhookDeliveries.findWebhooks())
      await this.inactiveWebhookDeliveries.failPending(webhook, MAX_SWEEP_MS_PER_WEBHOOK);
    return false;
  }
}

const PRUNE_INTERVAL_MS = 60_000;

/** A second process would only skip the rows that the first has locked. */
@Injectable()
export class DeliveryPruning extends BackgroundWork {
  constructor(prune: PruneDeliveries, leases: Leases) {
    let place: FinalAttemptCursor | undefined;
    const options = { name: 'pruning of deliveries', idleMs: PRUNE_INTERVAL_MS };
    const step = async () => (place = await prune.prune(place)) !== undefined;
    super([new LeasedLoop(options, leases, step)]);
  }
}
