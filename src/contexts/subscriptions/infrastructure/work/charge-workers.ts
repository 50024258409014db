import { Injectable } from '@nestjs/common';
import type { SubscriptionId } from '#shared/kernel/ids.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { AdvanceSubscriptions } from '../../application/advance-subscriptions.js';
import { DueChargeRequests } from './due-charge-requests.js';
import { EventLogger } from '#shared/platform/logging/event-logger.js';

const POLL_INTERVAL_MS = 250;

/** Charges on due dates. Any number of processes may run this, coordinated by row locks and claims. */
@Injectable()
export class ChargeWorkers extends BackgroundWork {
  private readonly log = new EventLogger('subscriptions');

  constructor(advance: AdvanceSubscriptions, requests: DueChargeRequests) {
    const idleMs = POLL_INTERVAL_MS;
    const parked = (subscription: SubscriptionId, error: Error) =>
      this.log.write('subscription.failed', { subscription_id: subscription, reason: String(error) });
    super([
      new BackgroundLoop({ name: 'due dates of subscriptions', idleMs }, () => advance.advance(parked)),
      new BackgroundLoop({ name: 'payment requests of charges', idleMs }, () => requests.open()),
    ]);
  }
}
