import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

const CHECKOUTS_PER_BATCH = 200;

/** The clock decides instead of block timestamps, because no network is read for checkouts without an asset. */
@Injectable()
export class ExpireUnselectedCheckouts {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Idempotent and safe for concurrent calls. Returns true if there may be more checkouts to expire. */
  async expire(): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const requests = await this.requests.lockUnselected(now, CHECKOUTS_PER_BATCH);
      for (const request of requests) request.expireUnselected(now);
      await this.requests.save(requests);
      return requests.length === CHECKOUTS_PER_BATCH;
    });
  }
}
