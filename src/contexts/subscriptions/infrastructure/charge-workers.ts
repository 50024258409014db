import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { BackgroundLoop } from '#shared/platform/background/background-loop.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { AdvanceSubscriptions } from '../application/advance-subscriptions.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { SUBSCRIPTIONS_LOG_EVENTS } from './log-events.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { ScheduledJobs, type ClaimedJob, type JobResult } from '#shared/platform/due-work/scheduled-jobs.js';
import { OpenChargeRequest } from '../application/open-charge-request.js';
import { CHARGE_REQUEST_JOB_KIND } from './persistence/postgres-subscriptions.js';

/** Small enough to open all requests before their claims expire. */
const CLAIM_SIZE = 32;
const MINUTE_MS = 60_000;
/** The last value applies to all further refusals. */
const REFUSAL_PAUSES_MINUTES = [1, 5, 15, 60];

@Injectable()
export class DueChargeRequests {
  private readonly log = new OperatorLogWriter('subscriptions', SUBSCRIPTIONS_LOG_EVENTS);

  constructor(
    private readonly scheduledJobs: ScheduledJobs,
    private readonly openRequest: OpenChargeRequest,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async open(): Promise<boolean> {
    const claimed = await this.scheduledJobs.claim(CHARGE_REQUEST_JOB_KIND, CLAIM_SIZE);
    if (claimed.length === 0) return false;
    const outcomes = await Promise.all(claimed.map((work) => this.openOne(work)));
    const known = outcomes.filter((outcome) => outcome !== null);
    await this.unitOfWork.run(() => this.scheduledJobs.recordResults(CHARGE_REQUEST_JOB_KIND, known));
    return claimed.length === CLAIM_SIZE;
  }

  /** Null after an unexpected failure: the claim expires and the job is claimed again. */
  private async openOne(work: ClaimedJob): Promise<JobResult | null> {
    try {
      const opening = await this.openRequest.open(work.key as PaymentRequestId);
      if (opening.result === 'opened') return { work, again: null };
      const again = nextOpeningAt(work.attempt, await this.clock.now());
      const { code, message } = opening.why;
      const about = { payment_request_id: work.key, code, reason: message, retry_at: again };
      this.log.write('charge.refused', about);
      return { work, again };
    } catch (error) {
      this.log.write('charge.failed', { payment_request_id: work.key, reason: String(error) });
      return null;
    }
  }
}

function nextOpeningAt(refusals: number, now: Date): Date {
  const minutes = REFUSAL_PAUSES_MINUTES[Math.min(refusals, REFUSAL_PAUSES_MINUTES.length - 1)]!;
  return new Date(now.getTime() + minutes * MINUTE_MS);
}

const POLL_INTERVAL_MS = 250;

@Injectable()
export class ChargeWorkers extends BackgroundWork {
  private readonly log = new OperatorLogWriter('subscriptions', SUBSCRIPTIONS_LOG_EVENTS);

  constructor(advance: AdvanceSubscriptions, requests: DueChargeRequests) {
    const idleMs = POLL_INTERVAL_MS;
    super([
      new BackgroundLoop({ name: 'due dates of subscriptions', idleMs }, async () => {
        const { failed, hasMore } = await advance.advance();
        for (const { id, error } of failed)
          this.log.write('subscription.failed', { subscription_id: id, reason: String(error) });
        return hasMore;
      }),
      new BackgroundLoop({ name: 'payment requests of charges', idleMs }, () => requests.open()),
    ]);
  }
}
