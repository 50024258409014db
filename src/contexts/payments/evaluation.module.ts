import { Module } from '@nestjs/common';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { ChainWatchingModule } from '#contexts/chain-watching/chain-watching.module.js';
import { NativeBalances } from '#contexts/chain-watching/contract/native-balances.js';
import { RecordedTransfers } from '#contexts/chain-watching/contract/recorded-transfers.js';
import {
  RequestEvaluation,
  RequestsToEvaluate,
} from '#contexts/chain-watching/contract/requests-to-evaluate.js';
import { PendingTransferRecords } from '#contexts/chain-watching/contract/pending-transfer-records.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { EvaluateRequests } from './application/evaluation/evaluate-requests.js';
import { ReleaseSettlementHold } from './application/evaluation/release-settlement-hold.js';
import { SettlementHolds } from './application/evaluation/settlement-holds.js';
import { NetworkRemovalBlockersQuery } from './contract/network-removal-blockers.js';
import { PostgresNativeBalances } from './infrastructure/evaluation/postgres-native-balances.js';
import { PostgresRecordedTransfers } from './infrastructure/evaluation/postgres-recorded-transfers.js';
import { PostgresRequestsToEvaluate } from './infrastructure/evaluation/postgres-requests-to-evaluate.js';
import { PostgresPendingTransferRecords } from './infrastructure/evaluation/postgres-pending-transfer-records.js';
import {
  PostgresSettlementHolds,
  PostgresNetworkRemovalBlockers,
} from './infrastructure/evaluation/postgres-settlement-holds.js';
import { transferInvariants } from './infrastructure/evaluation/transfer-invariants.js';
import { ParkedRequests } from './infrastructure/requests/persistence/parked-requests.js';
import { RequestsModule } from './requests.module.js';

@RegisterInvariants(transferInvariants)
@Module({
  providers: [
    ReleaseSettlementHold,
    { provide: SettlementHolds, useClass: PostgresSettlementHolds },
    { provide: NetworkRemovalBlockersQuery, useClass: PostgresNetworkRemovalBlockers },
  ],
})
export class EvaluationModule {}

@Module({
  imports: [RequestsModule, NetworksModule, ChainWatchingModule],
  providers: [
    { provide: RequestEvaluation, useClass: EvaluateRequests },
    ParkedRequests,
    { provide: RecordedTransfers, useClass: PostgresRecordedTransfers },
    { provide: PendingTransferRecords, useClass: PostgresPendingTransferRecords },
    { provide: NativeBalances, useClass: PostgresNativeBalances },
    { provide: RequestsToEvaluate, useClass: PostgresRequestsToEvaluate },
  ],
  exports: [RequestEvaluation, RecordedTransfers, PendingTransferRecords, NativeBalances, RequestsToEvaluate],
})
export class EvaluationWorkerModule {}
