import { Injectable } from '@nestjs/common';
import type { RefundAmounts } from '../../domain/refunds/refund-amount-rule.js';
import { paymentReversed } from '../../domain/refunds/refund-refusals.js';
import { ReceivedSums } from '../../domain/refunds/received-sums.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import { type RefundedSum, Refunds } from '../../domain/refunds/refunds.js';

/** Locks what is refunded of a payment request in one asset, and reads what the request still has by then. */
@Injectable()
export class LockRefundedSum {
  constructor(
    private readonly refunds: Refunds,
    private readonly received: ReceivedSums,
  ) {}

  /** Holds the lock until the unit of work ends. @throws not_found where the account was deleted meanwhile */
  async lock(sum: Omit<RefundedSum, 'received'>): Promise<RefundAmounts> {
    await this.refunds.lockSum({ ...sum, received: 0n });
    // A statement of its own, after the lock: it sees a reversal that was committed while this one waited.
    const received = await this.received.find(sum.paymentRequestId, sum.uniqueAssetId);
    return { received, refunded: await this.refunds.lockSum({ ...sum, received }) };
  }

  /** @throws state_conflict where the request's refunds, with this one, come to more than it still has */
  async refuseReversed(refund: RefundState): Promise<void> {
    const { paymentRequestId, organizationId, accountId, asset } = refund;
    const { uniqueAssetId } = asset;
    const sum = await this.lock({ paymentRequestId, organizationId, accountId, uniqueAssetId });
    if (sum.refunded > sum.received) throw paymentReversed();
  }
}
