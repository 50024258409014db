import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { BackgroundLoop } from '../../../../shared/platform/background/background-loop.js';
import { DueWork, type Claimed, type Outcome } from '../../../../shared/platform/due-work/due-work.js';
import { AdvanceSubscriptions } from '../../application/advance-subscriptions.js';
import { OpenChargeRequest } from '../../application/open-charge-request.js';
import { CHARGE_REQUEST_WORK } from './charge-request-work.js';
import { openAgainAt } from './opening-schedule.js';

const LOOK_EVERY_MS = 250;
/** Few enough that all are opened before the claims lapse. */
const CLAIM_SIZE = 32;

/** Charges on due dates. Any number of processes may do this. */
@Injectable()
export class ChargeWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger('subscriptions');
  private readonly loops: readonly BackgroundLoop[];

  constructor(
    private readonly dueWork: DueWork,
    private readonly openRequest: OpenChargeRequest,
    private readonly clock: Clock,
    advance: AdvanceSubscriptions,
  ) {
    this.loops = [
      new BackgroundLoop({ name: 'due dates of subscriptions', idleMs: LOOK_EVERY_MS }, () =>
        advance.execute(),
      ),
      new BackgroundLoop({ name: 'charges of subscriptions', idleMs: LOOK_EVERY_MS }, () => this.open()),
    ];
  }

  onApplicationBootstrap(): void {
    for (const loop of this.loops) loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  private async open(): Promise<boolean> {
    const claimed = await this.dueWork.claim(CHARGE_REQUEST_WORK, CLAIM_SIZE);
    if (claimed.length === 0) return false;
    const opened = await Promise.allSettled(claimed.map((work) => this.openOne(work)));
    // What failed otherwise, as without a database, lapses and is claimed again.
    const outcomes = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    for (const each of opened) {
      if (each.status === 'rejected')
        this.log.error({ msg: 'A charge could not be opened.', error: String(each.reason) });
    }
    await this.dueWork.settle(CHARGE_REQUEST_WORK, outcomes);
    return claimed.length === CLAIM_SIZE;
  }

  private async openOne(work: Claimed): Promise<Outcome> {
    const opening = await this.openRequest.execute(work.key as PaymentRequestId);
    if (opening.came === 'opened') return { work, again: null };
    const again = openAgainAt(work.attempt, await this.clock.now());
    const { code, message } = opening.why;
    this.log.warn({ msg: 'A charge was refused.', paymentRequestId: work.key, code, why: message, again });
    return { work, again };
  }
}
