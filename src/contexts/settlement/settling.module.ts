import { Module } from '@nestjs/common';
import { EventSubscribers } from '#shared/platform/event-log/event-subscribers.js';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { PaymentsModule } from '#contexts/payments/payments.module.js';
import { RatesModule } from '#contexts/rates/rates.module.js';
import { AdvanceBatch } from './application/settling/advance-batch.js';
import { FindBatchOfCall } from './application/settling/find-batch-of-call.js';
import { FindSettlementMinimums } from './application/settling/find-settlement-minimums.js';
import { UpdateSettlements } from './application/settling/update-settlements.js';
import { PlanSettlementRun } from './application/settling/plan-settlement-run.js';
import { ReadBalances } from './application/settling/read-balances.js';
import { RunSettlement } from './application/settling/run-settlement.js';
import { ShowNetworkSettlement } from './application/settling/show-network-settlement.js';
import { Settlements } from './domain/settling/settlement.js';
import { SettlementController } from './infrastructure/settling/http/settlement.controller.js';
import { SettlementPagesController } from './infrastructure/settling/dashboard/settlement-pages.controller.js';
import { batchInvariants } from './infrastructure/settling/persistence/batch-invariants.js';
import { Batches } from './infrastructure/settling/persistence/batches.js';
import { DueFunds } from './infrastructure/settling/persistence/due-funds.js';
import { SetAsidePayouts } from './infrastructure/settling/persistence/set-aside-payouts.js';
import { PostgresSettlements } from './infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementQueries } from './infrastructure/settling/persistence/settlement-queries.js';
import { settlementInvariants } from './infrastructure/settling/persistence/settlement-invariants.js';
import { SettlingWorkers } from './infrastructure/settling/settling-workers.js';
import { SettlementProjection } from './infrastructure/settling/settlement-projection.js';

/** Identity's `AccountDirectory` and `AccountNames` must be provided globally. */
@RegisterInvariants([...settlementInvariants, ...batchInvariants])
@Module({
  imports: [NetworksModule, RatesModule, PaymentsModule],
  controllers: [SettlementController, SettlementPagesController],
  providers: [
    SettlementQueries,
    FindBatchOfCall,
    FindSettlementMinimums,
    ReadBalances,
    PlanSettlementRun,
    AdvanceBatch,
    RunSettlement,
    ShowNetworkSettlement,
    DueFunds,
    Batches,
    SetAsidePayouts,
  ],
  exports: [RunSettlement, AdvanceBatch, Batches, DueFunds],
})
export class SettlingModule {}

@Module({
  imports: [SettlingModule, NetworksModule],
  providers: [
    SettlingWorkers,
    UpdateSettlements,
    SettlementProjection,
    { provide: Settlements, useClass: PostgresSettlements },
  ],
})
export class SettlingWorkerModule {
  constructor(subscribers: EventSubscribers, subscriber: SettlementProjection) {
    subscribers.add(subscriber);
  }
}
