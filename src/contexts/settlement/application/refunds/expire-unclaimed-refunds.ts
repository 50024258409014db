import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { UNKNOWN_SENDER_ADDRESS } from '#contexts/networks/contract/chain-reader.js';
import { RefundFloats } from '../../infrastructure/refunds/persistence/refund-floats.js';
import { Refunds } from '../../domain/refunds/refunds.js';

const MAX_REFUNDS_AT_ONCE = 100;

/** Fails refunds whose claim link expired, so that their amounts can be refunded again. */
@Injectable()
export class ExpireUnclaimedRefunds {
  constructor(
    private readonly refunds: Refunds,
    private readonly floats: RefundFloats,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async expire(): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const unclaimed = await this.refunds.lockExpiredUnclaimed(MAX_REFUNDS_AT_ONCE);
      const now = await this.clock.now();
      for (const refund of unclaimed) {
        const { organizationId, asset } = refund.snapshot;
        const { address } = await this.floats.findOrCreate(organizationId, asset.network);
        refund.cancel(
          now,
          address ?? UNKNOWN_SENDER_ADDRESS,
          'The payer did not enter an address before the claim ended.',
        );
        await this.refunds.save(refund);
      }
      return unclaimed.length === MAX_REFUNDS_AT_ONCE;
    });
  }
}
