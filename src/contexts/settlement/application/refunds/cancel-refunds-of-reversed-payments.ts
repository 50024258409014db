import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import { PAYMENT_REVERSED_MESSAGE } from '../../domain/refunds/refund-refusals.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { CancelRefund } from './cancel-refund.js';

@Injectable()
export class CancelRefundsOfReversedPayments {
  constructor(
    private readonly refunds: Refunds,
    private readonly cancelRefund: CancelRefund,
  ) {}

  /** Cancels the newest refund of each payment request and asset whose refunds exceed the amount received. */
  async cancel(network: string): Promise<void> {
    for (const { snapshot } of await this.refunds.newestUnpaidOfReversed(network)) {
      const { id, organizationId, accountId, paymentRequestId, asset } = snapshot;
      const received = await this.refunds.findReceivedSum(paymentRequestId, asset.uniqueAssetId);
      const refunded = await this.refunds.findRefundedSum(paymentRequestId, asset.uniqueAssetId);
      if (refunded <= received) continue;
      try {
        await this.cancelRefund.cancel({ organizationId, accountId }, id, {
          failure: PAYMENT_REVERSED_MESSAGE,
        });
      } catch (error) {
        // The refund has a nonce, or the float's key is held. The worker's next cycle tries again.
        if (!(error instanceof DomainError)) throw error;
      }
    }
  }
}
