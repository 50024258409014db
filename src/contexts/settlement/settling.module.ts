import { Module, type OnModuleInit } from '@nestjs/common';
import { EventSubscribers } from '../../shared/platform/event-log/event-subscribers.js';
import { Invariants } from '../../shared/platform/invariants/registered-invariants.js';
import { FollowMoney } from './application/settling/follow-money.js';
import { ListSettlements } from './application/settling/list-settlements.js';
import { SettlementQueries } from './application/settling/settlement-queries.js';
import { Settlements } from './domain/settling/settlements.js';
import { WaitingMoney } from './domain/settling/waiting-money.js';
import { SettlementController } from './infrastructure/settling/http/settlement.controller.js';
import { PostgresSettlementQueries } from './infrastructure/settling/persistence/postgres-settlement-queries.js';
import { PostgresSettlements } from './infrastructure/settling/persistence/postgres-settlements.js';
import { PostgresWaitingMoney } from './infrastructure/settling/persistence/postgres-waiting-money.js';
import { settlementInvariants } from './infrastructure/settling/persistence/settlement-invariants.js';
import { SettlementProjection } from './infrastructure/settling/subscribers/settlement-projection.js';

/** Settlements as readers see them. Identity's `AccountDirectory` must be provided globally. */
@Invariants(settlementInvariants)
@Module({
  controllers: [SettlementController],
  providers: [ListSettlements, { provide: SettlementQueries, useClass: PostgresSettlementQueries }],
})
export class SettlingModule {}

/** Follows the money at deposit addresses, and has it delivered. */
@Module({
  imports: [SettlingModule],
  providers: [
    FollowMoney,
    SettlementProjection,
    { provide: Settlements, useClass: PostgresSettlements },
    { provide: WaitingMoney, useClass: PostgresWaitingMoney },
  ],
})
export class SettlingWorkerModule implements OnModuleInit {
  constructor(
    private readonly subscribers: EventSubscribers,
    private readonly subscriber: SettlementProjection,
  ) {}

  onModuleInit(): void {
    this.subscribers.add(this.subscriber);
  }
}
