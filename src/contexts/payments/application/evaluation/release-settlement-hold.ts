import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import { requireText } from '#shared/kernel/text.js';
import { type SettlementHold, SettlementHolds } from './settlement-holds.js';

const MAX_REASON_LENGTH = 500;

export interface SettlementHoldRelease {
  id: string;
  /** Stored permanently with the hold. */
  reason: string;
  actor: string;
}

@Injectable()
export class ReleaseSettlementHold {
  constructor(
    private readonly clock: Clock,
    private readonly holds: SettlementHolds,
  ) {}

  async release({ id, reason, actor }: SettlementHoldRelease): Promise<SettlementHold> {
    const words = requireText('reason', reason, MAX_REASON_LENGTH);
    const found = await this.holds.release(id, { at: await this.clock.now(), by: actor, reason: words });
    if (found === null) throw notFound('settlement hold');
    const { kind, hold } = found;
    if (kind === 'released') return hold;
    throw stateConflict(`The hold was already released by ${hold.releasedBy}: ${hold.releaseReason}`);
  }
}
