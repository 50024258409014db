import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type SubscriptionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Subscriptions } from '../domain/subscriptions.js';

const BATCH = 100;
const PARKED_SECONDS = 300;

/** Called for a subscription whose step failed, and is tried again after a pause. */
type Parked = (id: SubscriptionId, error: Error) => void;

/** Does what is due by now: ends offers, charges on due dates, retries charges, completes subscriptions. */
@Injectable()
export class AdvanceSubscriptions {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** One batch; safe to repeat, and for two at once. One that fails stops no other. @returns true when there may be more */
  advance(parked: Parked = () => undefined): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const due = await this.subscriptions.lockDue(BATCH);
      const now = await this.clock.now();
      const together = await this.unitOfWork.attempt(() => this.advanceAll(due, now));
      // Each by itself shows which of them failed.
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
