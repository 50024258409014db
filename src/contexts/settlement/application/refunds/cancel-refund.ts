import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { TenantScope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog, type Actor } from '#contexts/identity/contract/audit-log.js';
import { UNKNOWN_SENDER_ADDRESS, NO_SENDER_LABEL } from '#contexts/networks/contract/chain-reader.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { FloatPayoutOutcome } from '../../domain/refunds/float-payouts.js';
import { FloatPayouts } from '../../infrastructure/refunds/persistence/float-payouts.js';
import type { Refund, RefundSnapshot } from '../../domain/refunds/refund.js';
import { RefundFloats } from '../../infrastructure/refunds/persistence/refund-floats.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { refundBeingPaidError } from '../../domain/refunds/refund-refusals.js';
import { auditRefund } from './audit-refund.js';
import { refuseFloatWithHeldKey } from './floats/refuse-float-with-held-key.js';

interface CancelRefundOptions {
  readonly failure?: string;
  readonly audited?: Actor;
}

/**
 * A refund that the merchant pays can be cancelled until its transaction is final, because the merchant may submit
 * another.
 */
@Injectable()
export class CancelRefund {
  constructor(
    private readonly refunds: Refunds,
    private readonly floats: RefundFloats,
    private readonly payouts: FloatPayouts,
    private readonly sender: OutboundTransactionSender,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * @throws not_found, unavailable; state_conflict if the refund has ended, has a nonce, or its float's key is held
   */
  async cancel(
    scope: TenantScope,
    id: string,
    { failure = 'The merchant cancelled the refund.', audited }: CancelRefundOptions = {},
  ): Promise<RefundSnapshot> {
    await this.refuseIfKeyIsHeld(scope, id);
    return this.unitOfWork.run(async () => {
      const refund = await this.refunds.lock(scope, id);
      const before = refund.snapshot;
      const at = await this.clock.now();
      refund.cancel(at, await this.floatAddressOf(before), failure);
      await this.refunds.save(refund);
      const isBeingPaid = before.status === 'processing' && before.paidBy === 'float';
      if (isBeingPaid && !(await this.endPayout(refund, failure))) throw refundBeingPaidError();
      const after = refund.snapshot;
      await auditRefund(this.auditLog, 'refund.cancelled', { before, after, by: audited, at });
      return after;
    });
  }

  private async floatAddressOf({ paidBy, organizationId, asset }: RefundSnapshot): Promise<string> {
    if (paidBy === 'merchant') return NO_SENDER_LABEL;
    return (await this.floats.findOrCreate(organizationId, asset.network)).address ?? UNKNOWN_SENDER_ADDRESS;
  }

  /**
   * After a database restore, even a pending refund may have been paid: approved after the backup, from a float that
   * has been replaced since.
   */
  private async refuseIfKeyIsHeld(scope: TenantScope, id: string): Promise<void> {
    const { status, organizationId, asset, to, floatAddress } = (await this.refunds.find(scope, id)).snapshot;
    if (to === undefined || (status !== 'pending' && status !== 'processing')) return;
    for (const { network, address } of await this.floats.list(organizationId)) {
      if (network !== asset.network || address === null || address !== (floatAddress ?? address)) continue;
      await refuseFloatWithHeldKey(this.sender, network, organizationId, address);
    }
  }

  /** False if a nonce is reserved. The worker reserves nonces under the same lock, so none is reserved later. */
  private async endPayout(refund: Refund, failure: string): Promise<boolean> {
    const payout = await this.payouts.find(refund.snapshot.id);
    const nothing = { transactionHash: null, blockNumber: null, gas: 0n };
    const ended: FloatPayoutOutcome = { status: 'failed', ...nothing, failure };
    return payout !== null && this.payouts.end({ ...payout, sent: false }, ended);
  }
}
