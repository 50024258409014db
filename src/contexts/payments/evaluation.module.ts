import { Module } from '@nestjs/common';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
import { ChainWatchingModule } from '#contexts/chain-watching/chain-watching.module.js';
import { NativeBalances } from '#contexts/chain-watching/contract/native-balances.js';
import { RecordedTransfers } from '#contexts/chain-watching/contract/recorded-transfers.js';
import {
  RequestEvaluation,
  RequestsToEvaluate,
} from '#contexts/chain-watching/contract/requests-to-evaluate.js';
import { SeenTransfers } from '#contexts/chain-watching/contract/seen-transfers.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { EvaluateRequests } from './application/evaluation/evaluate-requests.js';
import { ReleaseSettlementHold } from './application/evaluation/release-settlement-hold.js';
import { SettlementHolds } from './application/evaluation/settlement-holds.js';
import { NetworkDuesQuery } from './contract/network-dues.js';
import { PostgresNativeBalances } from './infrastructure/evaluation/postgres-native-balances.js';
import { PostgresRecordedTransfers } from './infrastructure/evaluation/postgres-recorded-transfers.js';
import { PostgresRequestsToEvaluate } from './infrastructure/evaluation/postgres-requests-to-evaluate.js';
import { PostgresSeenTransfers } from './infrastructure/evaluation/postgres-seen-transfers.js';
import {
  PostgresSettlementHolds,
  PostgresNetworkDues,
} from './infrastructure/evaluation/postgres-settlement-holds.js';
import { transferInvariants } from './infrastructure/evaluation/transfer-invariants.js';
import { ParkedRequests } from './infrastructure/requests/persistence/parked-requests.js';
import { RequestsModule } from './requests.module.js';

@Invariants(transferInvariants)
@Module({
  providers: [
    ReleaseSettlementHold,
    { provide: SettlementHolds, useClass: PostgresSettlementHolds },
    { provide: NetworkDuesQuery, useClass: PostgresNetworkDues },
  ],
})
export class EvaluationModule {}

@Module({
  imports: [RequestsModule, NetworksModule, ChainWatchingModule],
  providers: [
    { provide: RequestEvaluation, useClass: EvaluateRequests },
    ParkedRequests,
    { provide: RecordedTransfers, useClass: PostgresRecordedTransfers },
    { provide: SeenTransfers, useClass: PostgresSeenTransfers },
    { provide: NativeBalances, useClass: PostgresNativeBalances },
    { provide: RequestsToEvaluate, useClass: PostgresRequestsToEvaluate },
  ],
  exports: [RequestEvaluation, RecordedTransfers, SeenTransfers, NativeBalances, RequestsToEvaluate],
})
export class EvaluationWorkerModule {}
