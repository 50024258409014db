import { Injectable, Logger } from '@nestjs/common';
import type { PublishedEvent } from '#shared/kernel/domain-event.js';
import { EventSubscriber } from '#shared/platform/event-log/subscriber-runner.js';
import { FollowMoney } from '#contexts/settlement/application/settling/follow-money.js';
import { MONEY_EVENTS, SETTLEMENT_PROJECTION, toMoneyFact, type MoneyEvent } from './money-events.js';

/** Applies the events of payments about money at deposit addresses, a batch at a time, in the transaction that moves the position. */
@Injectable()
export class SettlementProjection extends EventSubscriber {
  override readonly name = SETTLEMENT_PROJECTION;
  override readonly eventTypes: readonly string[] = MONEY_EVENTS;
  private readonly log = new Logger('settlement');

  constructor(private readonly followMoney: FollowMoney) {
    super();
  }

  override async apply(events: readonly PublishedEvent[]): Promise<void> {
    const facts = (events as readonly PublishedEvent<MoneyEvent>[]).map(toMoneyFact);
    for (const { facts: settlement } of await this.followMoney.execute(facts)) {
      const { id, network, transactionHash } = settlement;
      const msg =
        'A completed settlement is not in the chain any more: its money is at the deposit addresses again.';
      this.log.error({ msg, settlement: id, network, transactionHash });
    }
  }
}
