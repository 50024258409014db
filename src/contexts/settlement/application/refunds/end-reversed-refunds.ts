import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import { PAYMENT_REVERSED } from '../../domain/refunds/refund-refusals.js';
import { ReceivedSums } from '../../domain/refunds/received-sums.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { CancelRefund } from './cancel-refund.js';

/** Ends refunds that no transaction pays yet, where the chain has reversed the money that they would pay back. */
@Injectable()
export class EndReversedRefunds {
  constructor(
    private readonly refunds: Refunds,
    private readonly received: ReceivedSums,
    private readonly cancelRefund: CancelRefund,
  ) {}

  /** Ends the newest of each payment request and asset, as long as its refunds come to more than it still has. */
  async end(network: string): Promise<void> {
    for (const { snapshot } of await this.refunds.newestUnpaidOfReversed(network)) {
      const { id, organizationId, accountId, paymentRequestId, asset } = snapshot;
      const received = await this.received.find(paymentRequestId, asset.uniqueAssetId);
      const refunded = await this.refunds.refunded(paymentRequestId, asset.uniqueAssetId);
      if (refunded <= received) continue;
      try {
        await this.cancelRefund.cancel({ organizationId, accountId }, id, { failure: PAYMENT_REVERSED });
      } catch (error) {
        // A nonce was reserved for it, or the float's key is held: the next iteration asks again.
        if (!(error instanceof DomainError)) throw error;
      }
    }
  }
}
