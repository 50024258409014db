import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PaymentLinkSessions } from '../../domain/links/payment-link-sessions.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

/** The number of sessions of one unit of work. */
export const PRUNED_AT_ONCE = 200;

/** Prunes sessions of payment links that nobody paid, once their retention is over. */
@Injectable()
export class PruneLinkSessions {
  constructor(
    private readonly sessions: PaymentLinkSessions,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** One batch; safe to repeat, and for two at once. @returns true when there may be more */
  async prune(): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const due = await this.sessions.lockDue(PRUNED_AT_ONCE);
      if (due.length === 0) return false;
      await this.sessions.endRetention(due);
      await this.requests.prune(due);
      return due.length === PRUNED_AT_ONCE;
    });
  }
}
