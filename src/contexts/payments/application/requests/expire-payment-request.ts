import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { Scope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

/** The merchant ends the window of a request that is not paid. */
@Injectable()
export class ExpirePaymentRequest {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Safe to repeat. @throws not_found, state_conflict where a payment was seen or is under way, or the request has ended otherwise */
  async expire(scope: Scope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<void> {
    await this.unitOfWork.run(async () => {
      const request = await this.requests.lockOn(scope, pointOfSale, id);
      // The signed transfer would come too late, and become a deposit.
      if (await this.requests.isSignedFor(id))
        throw stateConflict(
          'A payment by signature is in progress, so the payment request cannot be ended. Wait for the payment.',
        );
      request.expireNow(await this.clock.now());
      await this.requests.save([request]);
    });
  }
}
