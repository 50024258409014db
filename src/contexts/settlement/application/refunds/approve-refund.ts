import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { Scope } from '#shared/kernel/scope.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { refuseUnapprovable } from '../../domain/refunds/refund-approval-rule.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import { Refunds } from '../../domain/refunds/refunds.js';
import { RefundApproval } from './refund-approval.js';

export interface ApproveRefundInput {
  readonly scope: Scope;
  readonly id: string;
  /** Who approves: a credential's id, a person's e-mail address, or the account's limit. */
  readonly by: string;
}

/** An approved refund is paid by whichever worker comes first. */
@Injectable()
export class ApproveRefund {
  constructor(
    private readonly refunds: Refunds,
    private readonly approval: RefundApproval,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws not_found, state_conflict, refund_float_insufficient, unavailable */
  async execute({ scope, id, by }: ApproveRefundInput): Promise<RefundState> {
    const { snapshot } = await this.refunds.find(scope, id);
    refuseUnapprovable(snapshot);
    const { to, organizationId, asset, amount } = snapshot;
    const prepared = await this.approval.prepare({ organizationId, asset, amount, to: to! });
    return this.unitOfWork.run(async () => {
      const refund = await this.refunds.lock(scope, id);
      await this.approval.grant(refund, prepared, by, await this.clock.now());
      await this.refunds.save(refund);
      return refund.snapshot;
    });
  }
}
