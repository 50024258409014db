import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { EndedDeliveries, type EndedAttemptPlace } from '../../domain/delivery/ended-deliveries.js';

/** Attempts that one unit of work looks at. */
export const PRUNED_AT_ONCE = 200;

export abstract class DeliveryRetention {
  /** Days after its last attempt from which on a delivery that has ended is removed. */
  abstract readonly deliveryRetentionDays: number;
}

/** Removes deliveries that ended long ago, with their attempts. Their events stay, and can be replayed. */
@Injectable()
export class PruneDeliveries {
  constructor(
    private readonly ended: EndedDeliveries,
    private readonly retention: DeliveryRetention,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * One step. What stays, since it was sent again, is not looked at again until its next attempt is old enough: the caller
   * goes on from where the last step ended, and begins anew once there is nothing more.
   * @returns where to go on; undefined where nothing more is old enough
   */
  execute(after?: EndedAttemptPlace): Promise<EndedAttemptPlace | undefined> {
    const { deliveryRetentionDays } = this.retention;
    return this.unitOfWork.run(() => this.ended.prune(deliveryRetentionDays, after, PRUNED_AT_ONCE));
  }
}
