import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId, type SubscriptionId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Subscriptions } from '../domain/subscriptions.js';

const BATCH_SIZE = 100;
const PARKED_SECONDS = 300;

interface AdvancedBatch {
  readonly failed: readonly { readonly id: SubscriptionId; readonly error: Error }[];
  readonly hasMore: boolean;
}

@Injectable()
export class AdvanceSubscriptions {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Safe to repeat and to run concurrently. A failing subscription does not stop the others. */
  advance(): Promise<AdvancedBatch> {
    return this.unitOfWork.run(async () => {
      const due = await this.subscriptions.lockDue(BATCH_SIZE);
      const now = await this.clock.now();
      const together = await this.unitOfWork.attempt(() => this.advanceAll(due, now));
      // After the whole batch failed, advances each subscription separately, to find the failing ones.
      const failed = 'error' in together ? await this.advanceEach(due, now) : [];
      return { failed, hasMore: due.length === BATCH_SIZE };
    });
  }

  private async advanceEach(ids: readonly SubscriptionId[], now: Date): Promise<AdvancedBatch['failed']> {
    const failed: { id: SubscriptionId; error: Error }[] = [];
    for (const id of ids) {
      const outcome = await this.unitOfWork.attempt(() => this.advanceAll([id], now));
      if (!('error' in outcome)) continue;
      await this.subscriptions.parkAfterFailure(id, PARKED_SECONDS);
      failed.push({ id, error: outcome.error });
    }
    return failed;
  }

  private async advanceAll(ids: readonly SubscriptionId[], now: Date): Promise<void> {
    const due = await this.subscriptions.lockByIds(ids);
    for (const subscription of due) subscription.advance(now, newId);
    await this.subscriptions.save(due);
  }
}
