import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import {
  NativePayouts,
  RecordedPayouts,
} from '#contexts/payments/domain/watching/payouts/recorded-payouts.js';
import { RecordPayouts } from './record-payouts.js';

/** Bounds a unit of work. */
const AT_ONCE = 500;

/**
 * Whoever watched a network before may have been a process of the release before, which records payouts of native coin
 * alone, in a table of their own, and takes back no others. So each new lease begins with what it left.
 */
@Injectable()
export class TakeOverPayouts {
  /** The epoch of the lease, by network. */
  private readonly taken = new Map<string, bigint>();

  constructor(
    private readonly native: NativePayouts,
    private readonly payouts: RecordedPayouts,
    private readonly recordPayouts: RecordPayouts,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Begun anew it changes nothing twice, so that it needs no fence. */
  async execute(network: string, epoch: bigint): Promise<void> {
    if (this.taken.get(network) === epoch) return;
    await this.unitOfWork.run(async () =>
      this.payouts.remove(network, await this.payouts.replaced(network), await this.clock.now()),
    );
    while (await this.unitOfWork.run(() => this.takeSome(network)));
    this.taken.set(network, epoch);
  }

  private async takeSome(network: string): Promise<boolean> {
    const found = await this.native.notTakenOver(network, AT_ONCE);
    await this.recordPayouts.execute(network, { refuted: [], found }, await this.clock.now());
    return found.length >= AT_ONCE;
  }
}
