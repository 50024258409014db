import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/kernel/clock.js';
import { newId } from '../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../shared/kernel/unit-of-work.js';
import { Subscriptions } from '../domain/subscriptions.js';

const BATCH = 100;

/** Does what time brings: ends offers, charges on due dates, tries again, completes. */
@Injectable()
export class AdvanceSubscriptions {
  constructor(
    private readonly subscriptions: Subscriptions,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** One batch; safe to repeat, and for two at once. @returns true when there may be more */
  execute(): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const due = await this.subscriptions.lockDue(BATCH);
      const now = await this.clock.now();
      for (const subscription of due) subscription.advance(now, newId);
      await this.subscriptions.save(due);
      return due.length === BATCH;
    });
  }
}
