import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type SubscriptionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Subscriptions } from '../domain/subscriptions.js';

const BATCH = 100;
const PARKED_SECONDS = 300;

/** Called for a subscription whose step failed and is retried after a pause. */
type Parked = (id: SubscriptionId, error: Error) => void;

@Injectable()
export class AdvanceSubscriptions {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Advances one batch. Safe to repeat and to run concurrently. A failing subscription does not stop the others.
   * @returns true if more may be due
   */
  advance(parked: Parked = () => undefined): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const due = await this.subscriptions.lockDue(BATCH);
      const now = await this.clock.now();
      const together = await this.unitOfWork.attempt(() => this.advanceAll(due, now));
      // Advancing each subscription separately identifies the failing ones.
      if ('error' in together) for (const id of due) await this.advanceAlone(id, now, parked);
      return due.length === BATCH;
    });
  }

  private async advanceAlone(id: SubscriptionId, now: Date, parked: Parked): Promise<void> {
    const alone = await this.unitOfWork.attempt(() => this.advanceAll([id], now));
    if (!('error' in alone)) return;
    await this.subscriptions.park(id, PARKED_SECONDS);
    parked(id, alone.error);
  }

  private async advanceAll(ids: readonly SubscriptionId[], now: Date): Promise<void> {
    const due = await this.subscriptions.lockAll(ids);
    for (const subscription of due) subscription.advance(now, newId);
    await this.subscriptions.save(due);
  }
}
