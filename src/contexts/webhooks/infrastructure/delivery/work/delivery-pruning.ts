import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { PruneDeliveries, type EndedAttemptPlace } from '../persistence/prune-deliveries.js';

const LOOK_EVERY_MS = 60_000;

/** One process prunes at a time: a second would look at the same attempts, and pass over what the first has locked. */
@Injectable()
export class DeliveryPruning extends BackgroundWork {
  protected readonly loops: readonly LeasedLoop[];

  constructor(prune: PruneDeliveries, leases: Leases) {
    super();
    let place: EndedAttemptPlace | undefined;
    const options = { name: 'pruning of deliveries', idleMs: LOOK_EVERY_MS };
    const turn = async () => (place = await prune.prune(place)) !== undefined;
    this.loops = [new LeasedLoop(options, leases, turn)];
  }
}
