import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PaymentLinkSessions } from '../../infrastructure/links/persistence/payment-link-sessions.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

export const SESSIONS_PRUNED_PER_BATCH = 200;

@Injectable()
export class PruneLinkSessions {
  constructor(
    private readonly sessions: PaymentLinkSessions,
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Idempotent and safe for concurrent calls. Returns true if there may be more sessions to prune. */
  async prune(): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const due = await this.sessions.lockDueForPruning(SESSIONS_PRUNED_PER_BATCH);
      if (due.length === 0) return false;
      await this.sessions.endRetention(due);
      await this.requests.prune(due);
      return due.length === SESSIONS_PRUNED_PER_BATCH;
    });
  }
}
