import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import { requireText } from '#shared/kernel/text.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuditLog } from '#contexts/identity/contract/audit-log.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { FloatPayout } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { FloatPayouts } from '#contexts/settlement/infrastructure/refunds/persistence/float-payouts.js';
import { withdrawalEvent } from './end-float-payout.js';
import { refuseFloatWithHeldKey } from './refuse-float-with-held-key.js';

@Injectable()
export class CancelFloatWithdrawal {
  constructor(
    private readonly payouts: FloatPayouts,
    private readonly sender: OutboundTransactionSender,
    private readonly auditLog: AuditLog,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async find(id: string): Promise<FloatPayout> {
    const payout = await this.payouts.find(id);
    if (payout?.kind !== 'withdrawal') throw notFound('withdrawal of a refund float');
    return payout;
  }

  /**
   * @throws not_found, unavailable; state_conflict if the withdrawal has ended or has a nonce, or the float's key is
   * held
   */
  async cancel(id: string, actor: string): Promise<FloatPayout> {
    const payout = await this.find(id);
    const { asset, organizationId, floatAddress } = payout;
    await refuseFloatWithHeldKey(this.sender, asset.network, organizationId, floatAddress);
    const failure = 'The operator cancelled the withdrawal.';
    const nothing = { transactionHash: null, blockNumber: null, gas: 0n };
    await this.unitOfWork.run(async () => {
      const at = await this.clock.now();
      const event = withdrawalEvent(payout, { status: 'failed', transactionHash: null }, {}, at);
      const ended = { status: 'failed', ...nothing, failure } as const;
      if (!(await this.payouts.end({ ...payout, sent: false }, ended, [event])))
        throw stateConflict(
          'This withdrawal can no longer be cancelled: it has ended, or its transaction has a nonce.',
        );
      await this.auditLog.record({
        actor: requireText('actor', actor, 200),
        action: 'refund_float.withdrawal_cancelled',
        organizationId,
        subjectId: id,
        at,
        before: { status: 'processing' },
        after: { status: 'failed' },
      });
    });
    return payout;
  }
}
