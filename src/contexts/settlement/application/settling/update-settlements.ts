import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId } from '#shared/kernel/ids.js';
import {
  type FundsFact,
  settlementsOf,
  sumWaitingChanges,
  waitingChangesOf,
} from '../../domain/settling/payout-facts.js';
import { Settlement, Settlements, type WaitingBalanceChange } from '../../domain/settling/settlement.js';

@Injectable()
export class UpdateSettlements {
  constructor(
    private readonly clock: Clock,
    private readonly settlements: Settlements,
  ) {}

  /**
   * Joins the caller's unit of work. Returns completed settlements that failed because their final block was removed.
   */
  async update(facts: readonly FundsFact[]): Promise<readonly Settlement[]> {
    if (facts.length === 0) return [];
    const at = await this.clock.now();
    const known = await this.lockKnownSettlements(facts);
    const changes: WaitingBalanceChange[] = [];
    const undone: Settlement[] = [];
    for (const fact of facts) {
      if (fact.kind === 'booked') {
        changes.push(fact.change);
      } else if (fact.kind === 'paid_out') {
        const made = settlementsOf(fact.payouts, newId).map((each) => Settlement.createDelivered(each, at));
        known.set(fact.payouts.id, made);
        for (const settlement of made) changes.push(...waitingChangesOf(settlement.facts));
      } else {
        const settlements = known.get(fact.payoutsId);
        if (settlements === undefined) throw new Error(`The payouts ${fact.payoutsId} were never seen.`);
        for (const settlement of settlements) {
          if (fact.kind === 'removed') {
            if (settlement.status === 'completed') undone.push(settlement);
            changes.push(
              ...waitingChangesOf(settlement.facts).map((taken) => ({ ...taken, change: -taken.change })),
            );
          }
          settlement.changeStatus(fact.kind === 'final' ? 'completed' : 'failed', at);
        }
      }
    }
    await this.settlements.save([...known.values()].flat(), sumWaitingChanges(changes), at);
    return undone;
  }

  private async lockKnownSettlements(facts: readonly FundsFact[]): Promise<Map<string, Settlement[]>> {
    const ids = facts.flatMap((fact) => ('payoutsId' in fact ? [fact.payoutsId] : []));
    const known = new Map<string, Settlement[]>();
    for (const settlement of ids.length === 0 ? [] : await this.settlements.lockByPayouts(ids)) {
      const { payoutsId } = settlement.facts;
      const others = known.get(payoutsId);
      if (others === undefined) known.set(payoutsId, [settlement]);
      else others.push(settlement);
    }
    return known;
  }
}
