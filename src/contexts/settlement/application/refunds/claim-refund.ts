import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { APPROVED_BY_LIMIT, isApprovedByLimit } from '../../domain/refunds/refund-approval-rule.js';
import { RefundLimits } from '../../infrastructure/refunds/persistence/refund-limits.js';
import type { RefundSnapshot } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { ApproveRefund } from './approve-refund.js';
import { FindRefundByClaimCode } from './refund-claim.js';
import { RefundAddressParser } from './refund-address-parser.js';

export interface ClaimRefundInput {
  readonly claim: string;
  readonly refundToAddress: string;
  readonly confirmed: boolean;
}

/** A confirmed address cannot be changed. */
@Injectable()
export class ClaimRefund {
  constructor(
    private readonly readClaimed: FindRefundByClaimCode,
    private readonly recipients: RefundAddressParser,
    private readonly refunds: Refunds,
    private readonly limits: RefundLimits,
    private readonly approveRefund: ApproveRefund,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async claim({
    claim,
    refundToAddress,
    confirmed,
  }: ClaimRefundInput): Promise<{ refund: RefundSnapshot; to: string }> {
    const found = await this.readClaimed.find(claim);
    const to = await this.recipients.parseRefundAddress(
      found.asset.network,
      'refund_to_address',
      refundToAddress,
    );
    if (!confirmed) return { refund: found, to };
    const scope = { organizationId: found.organizationId, accountId: found.accountId };
    const claimed = await this.unitOfWork.run(async () => {
      const refund = await this.refunds.lock(scope, found.id);
      // The link may have been replaced before the lock was taken.
      await this.readClaimed.find(claim);
      refund.claim(to, await this.clock.now());
      await this.refunds.save(refund);
      return refund.snapshot;
    });
    const limit = await this.limits.find(found.accountId, found.asset.uniqueAssetId);
    if (!isApprovedByLimit(limit, found.amount)) return { refund: claimed, to };
    return { refund: await this.approveByLimit(claimed), to };
  }

  /** If approval is not possible now, the refund waits for the merchant. */
  private async approveByLimit(refund: RefundSnapshot): Promise<RefundSnapshot> {
    const scope = { organizationId: refund.organizationId, accountId: refund.accountId };
    try {
      return await this.approveRefund.approve({ scope, id: refund.id, by: APPROVED_BY_LIMIT });
    } catch (error) {
      if (error instanceof DomainError) return refund;
      throw error;
    }
  }
}
