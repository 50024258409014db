import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { stateConflict } from '#shared/kernel/domain-error.js';
import type { PaymentRequestId, PointOfSaleId } from '#shared/kernel/ids.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { PaymentRequests } from '../../domain/requests/payment-requests.js';

@Injectable()
export class ExpirePaymentRequest {
  constructor(
    private readonly requests: PaymentRequests,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Idempotent. @throws not_found; state_conflict if a payment was seen or the request ended otherwise */
  async expire(scope: TenantScope, pointOfSale: PointOfSaleId, id: PaymentRequestId): Promise<void> {
    await this.unitOfWork.run(async () => {
      const request = await this.requests.lockOwned(scope, pointOfSale, id);
      // Otherwise the transfer that the payer signed would be late and become a deposit.
      if (await this.requests.hasPendingAuthorization(id))
        throw stateConflict(
          'A payment by signature is in progress, so the payment request cannot be ended. Wait for the payment.',
        );
      request.expireNow(await this.clock.now());
      await this.requests.save([request]);
    });
  }
}
