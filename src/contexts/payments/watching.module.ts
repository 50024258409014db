import { Module } from '@nestjs/common';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { RequestsModule } from './requests.module.js';
import { Alerts } from './application/watching/alerts.js';
import { AuditChainDaily } from './application/watching/audit/audit-chain-daily.js';
import { AuditChain } from './application/watching/audit/audit-chain.js';
import { AuditedPayments } from './domain/watching/audited-payments.js';
import { PostgresAuditedPayments } from './infrastructure/watching/persistence/postgres-audited-payments.js';
import {
  PostgresAuditResults,
  PostgresChainAudits,
} from './infrastructure/watching/persistence/postgres-chain-audits.js';
import { BeginReading } from './application/watching/reading/begin-reading.js';
import { CompareNewestFinal } from './application/watching/cross-check/compare-newest-final.js';
import { ComparePayouts } from './application/watching/cross-check/compare-payouts.js';
import { CompareReadings } from './application/watching/cross-check/compare-readings.js';
import { CrossCheckTransfers } from './application/watching/cross-check/cross-check-transfers.js';
import { FindInternalTransfers } from './application/watching/internal-transfers/find-internal-transfers.js';
import { FollowChain } from './application/watching/follow-chain.js';
import { GatherFindings } from './application/watching/gather-findings.js';
import { JudgeRequests } from './application/watching/judge-requests.js';
import { CompleteArrivals } from './application/watching/reading/complete-arrivals.js';
import { MatchArrivals } from './application/watching/reading/match-arrivals.js';
import { AcceptPending } from './application/watching/pending/accept-pending.js';
import { ReadPending } from './application/watching/pending/read-pending.js';
import { ReadOnward } from './application/watching/reading/read-onward.js';
import { RecordPayouts } from './application/watching/payouts/record-payouts.js';
import { ReleaseSettlementHold } from './application/watching/release-settlement-hold.js';
import { RereadFinalBlocks } from './application/watching/cross-check/reread-final-blocks.js';
import { SecondReading } from './application/watching/cross-check/second-reading.js';
import { RewindChain } from './application/watching/reorganisations/rewind-chain.js';
import { SettlementHolds } from './application/watching/settlement-holds.js';
import { StoreFindings } from './application/watching/store-findings.js';
import { TurnLimits } from './application/watching/turn-limits.js';
import { ValidatedBlockTimes } from './application/watching/reading/validated-block-times.js';
import { ValidatedFinality } from './application/watching/reading/validated-finality.js';
import { AuditResults, ReadingProgress } from './contract/reading-progress.js';
import { InternalTransferLook } from './contract/internal-transfer-look.js';
import { WatchingStates } from './contract/watching-states.js';
import { ChainAudits } from './domain/watching/chain-audits.js';
import { NativeBalances } from './domain/watching/native-balances.js';
import { ParkedRequests, RequestsToJudge } from './domain/watching/requests-to-judge.js';
import { RecordedPayouts } from './domain/watching/payouts/recorded-payouts.js';
import { RecordedTransfers } from './domain/watching/recorded-transfers.js';
import { SeenTransfers } from './domain/watching/seen-transfers.js';
import { WatchedChain } from './domain/watching/watched-chain.js';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
import { cursorInvariants } from './infrastructure/watching/persistence/watching-invariants.js';
import { LoggedAlerts } from './infrastructure/watching/logging/logged-alerts.js';
import { PostgresInternalTransferLook } from './infrastructure/watching/persistence/postgres-internal-transfer-look.js';
import { PostgresNativeBalances } from './infrastructure/watching/persistence/postgres-native-balances.js';
import { PostgresParkedRequests } from './infrastructure/watching/persistence/postgres-parked-requests.js';
import { PostgresReadingProgress } from './infrastructure/watching/persistence/postgres-reading-progress.js';
import { payoutInvariants } from './infrastructure/watching/persistence/payouts/payout-invariants.js';
import { PostgresRecordedPayouts } from './infrastructure/watching/persistence/payouts/postgres-recorded-payouts.js';
import { PostgresRecordedTransfers } from './infrastructure/watching/persistence/postgres-recorded-transfers.js';
import { PostgresRequestsToJudge } from './infrastructure/watching/persistence/postgres-requests-to-judge.js';
import { PostgresSeenTransfers } from './infrastructure/watching/persistence/postgres-seen-transfers.js';
import { PostgresSettlementHolds } from './infrastructure/watching/persistence/postgres-settlement-holds.js';
import { PostgresWatchedChain } from './infrastructure/watching/persistence/postgres-watched-chain.js';
import { NetworkMetrics, WatcherMetrics } from './infrastructure/watching/metrics/network-metrics.js';
import { PostgresWatchingStates } from './infrastructure/watching/persistence/postgres-watching-states.js';
import { ChainAuditors } from './infrastructure/watching/work/chain-auditors.js';
import { NetworkWatchers } from './infrastructure/watching/work/network-watchers.js';
import { ReadingPruning } from './infrastructure/watching/work/reading-pruning.js';

/** How far networks were read, and which addresses settlement must leave alone. */
@Invariants([...cursorInvariants, ...payoutInvariants])
@Module({
  imports: [RequestsModule, NetworksModule],
  providers: [
    AuditChain,
    { provide: AuditedPayments, useClass: PostgresAuditedPayments },
    { provide: AuditResults, useClass: PostgresAuditResults },
    ReleaseSettlementHold,
    { provide: SettlementHolds, useClass: PostgresSettlementHolds },
    { provide: ReadingProgress, useClass: PostgresReadingProgress },
    { provide: InternalTransferLook, useClass: PostgresInternalTransferLook },
    PostgresWatchingStates,
    { provide: WatchingStates, useExisting: PostgresWatchingStates },
    NetworkMetrics,
  ],
  exports: [AuditChain, AuditedPayments, InternalTransferLook, ReadingProgress, WatchingStates],
})
export class WatchingModule {}

/** Reads the networks and lets payment requests follow. */
@Module({
  imports: [RequestsModule, NetworksModule, WatchingModule],
  providers: [
    AuditChainDaily,
    ChainAuditors,
    { provide: ChainAudits, useClass: PostgresChainAudits },
    FollowChain,
    BeginReading,
    GatherFindings,
    StoreFindings,
    ValidatedFinality,
    ValidatedBlockTimes,
    MatchArrivals,
    CompleteArrivals,
    ReadPending,
    AcceptPending,
    FindInternalTransfers,
    ReadOnward,
    ComparePayouts,
    CompareReadings,
    CompareNewestFinal,
    RereadFinalBlocks,
    SecondReading,
    CrossCheckTransfers,
    JudgeRequests,
    RecordPayouts,
    RewindChain,
    TurnLimits,
    NetworkWatchers,
    ReadingPruning,
    WatcherMetrics,
    { provide: SeenTransfers, useClass: PostgresSeenTransfers },
    { provide: RecordedTransfers, useClass: PostgresRecordedTransfers },
    { provide: RecordedPayouts, useClass: PostgresRecordedPayouts },
    { provide: ParkedRequests, useClass: PostgresParkedRequests },
    { provide: RequestsToJudge, useClass: PostgresRequestsToJudge },
    { provide: NativeBalances, useClass: PostgresNativeBalances },
    { provide: WatchedChain, useClass: PostgresWatchedChain },
    { provide: Alerts, useClass: LoggedAlerts },
  ],
})
export class WatchingWorkerModule {}
