import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import type { Scope } from '../../../../shared/kernel/scope.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import { UNKNOWN_SENDER } from '../../../networks/contract/chain-reader.js';
import type { RefundState } from '../../domain/refunds/refund.js';
import { RefundFloats } from '../../domain/refunds/refund-floats.js';
import { Refunds } from '../../domain/refunds/refunds.js';

/** Nothing of a pending refund is reserved; what is left of its request can be refunded again. */
@Injectable()
export class CancelRefund {
  constructor(
    private readonly refunds: Refunds,
    private readonly floats: RefundFloats,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws not_found, state_conflict unless it is pending */
  async execute(scope: Scope, id: string): Promise<RefundState> {
    return this.unitOfWork.run(async () => {
      const refund = await this.refunds.lock(scope, id);
      const { organizationId, asset } = refund.snapshot;
      const float = await this.floats.want(organizationId, asset.network);
      refund.cancel(await this.clock.now(), float.address ?? UNKNOWN_SENDER);
      await this.refunds.save(refund);
      return refund.snapshot;
    });
  }
}
