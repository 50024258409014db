import { Injectable } from '@nestjs/common';
import { notFound } from '#shared/kernel/domain-error.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { claimDigest } from './claim.js';

/** What the payer who has the claim sees. */
@Injectable()
export class ReadClaimedRefund {
  constructor(private readonly refunds: Refunds) {}

  /** @param claim as the caller spelled it; it may be anything @throws not_found, the same for all that opens nothing */
  async execute(claim: string): Promise<RefundState> {
    const refund = await this.refunds.findClaimed(claimDigest(claim));
    if (refund === null) throw notFound('refund');
    return refund.snapshot;
  }
}
