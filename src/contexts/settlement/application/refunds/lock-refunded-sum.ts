import { Injectable } from '@nestjs/common';
import type { RefundAmounts } from '../../domain/refunds/refund-amount-rule.js';
import { paymentReversedError } from '../../domain/refunds/refund-refusals.js';
import type { RefundSnapshot } from '../../domain/refunds/refund.js';
import { type RefundedSum, Refunds } from '../../domain/refunds/refunds.js';

@Injectable()
export class LockRefundedSum {
  constructor(private readonly refunds: Refunds) {}

  /** Holds the lock until the unit of work ends. @throws not_found if the account has been deleted */
  async lock(sum: Omit<RefundedSum, 'received'>): Promise<RefundAmounts> {
    await this.refunds.lockSum({ ...sum, received: 0n });
    // Only a statement that starts after the lock sees a reversal that was committed while `lockSum` waited.
    const received = await this.refunds.findReceivedSum(sum.paymentRequestId, sum.uniqueAssetId);
    return { received, refunded: await this.refunds.lockSum({ ...sum, received }) };
  }

  /** @throws state_conflict if the refunds of the payment request exceed the amount received */
  async refuseReversed(refund: RefundSnapshot): Promise<void> {
    const { paymentRequestId, organizationId, accountId, asset } = refund;
    const { uniqueAssetId } = asset;
    const sum = await this.lock({ paymentRequestId, organizationId, accountId, uniqueAssetId });
    if (sum.refunded > sum.received) throw paymentReversedError();
  }
}
