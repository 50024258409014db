import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { Invariants } from '#shared/platform/invariants/registered-invariants.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { Alerts } from './contract/alerts.js';
import { CompareNewestFinalBlock } from './application/cross-check/compare-newest-final.js';
import { CompareBlockReads } from './application/cross-check/compare-block-reads.js';
import { ConfirmationRead } from './application/cross-check/confirmation-read.js';
import { CrossCheckTransfers } from './application/cross-check/cross-check-transfers.js';
import { RereadFinalBlocks } from './application/cross-check/reread-final-blocks.js';
import { FollowChain } from './application/follow-chain.js';
import { ReadTaggedBlocks } from './application/reading/read-tagged-blocks.js';
import { GatherFindings } from './application/gather-findings.js';
import { FindInternalTransfers } from './application/internal-transfers/find-internal-transfers.js';
import { AcceptPending } from './application/pending/accept-pending.js';
import { ReadPending } from './application/pending/read-pending.js';
import { CompleteIncomingTransfers } from './application/reading/complete-incoming-transfers.js';
import { MatchIncomingTransfers } from './application/reading/match-incoming-transfers.js';
import { ReadNextBlocks } from './application/reading/read-next-blocks.js';
import { ValidatedBlockTimes } from './application/reading/validated-block-times.js';
import { RewindChain } from './application/reorganizations/rewind-chain.js';
import { StoreFindings } from './application/store-findings.js';
import { IterationLimits } from './application/iteration-limits.js';
import { InternalTransferCheck } from './contract/native-balances.js';
import { ReadingProgress, ReadProgress } from './contract/reading-progress.js';
import { WatchingStates } from './contract/watching-states.js';
import { PostgresInternalTransferCheck } from './infrastructure/persistence/postgres-internal-transfer-check.js';
import { RecordedPayouts } from './infrastructure/persistence/recorded-payouts.js';
import { WatchedChain } from './infrastructure/persistence/watched-chain.js';
import { cursorInvariants, payoutInvariants } from './infrastructure/persistence/watching-invariants.js';
import {
  PostgresWatchingStates,
  PostgresReadingProgress,
} from './infrastructure/persistence/postgres-watching-states.js';
import { LoggedAlerts } from './infrastructure/work/logged-alerts.js';
import { NetworkMetrics, WatcherMetrics } from './infrastructure/work/network-metrics.js';
import { ChainWatchingSettings, NetworkWatchers } from './infrastructure/work/network-watchers.js';
import { ReadingPruning } from './infrastructure/work/reading-pruning.js';

@Invariants([...cursorInvariants, ...payoutInvariants])
@Module({
  imports: [NetworksModule],
  providers: [
    WatchedChain,
    { provide: ReadProgress, useExisting: WatchedChain },
    { provide: ReadingProgress, useClass: PostgresReadingProgress },
    { provide: InternalTransferCheck, useClass: PostgresInternalTransferCheck },
    PostgresWatchingStates,
    { provide: WatchingStates, useExisting: PostgresWatchingStates },
    NetworkMetrics,
    { provide: Alerts, useClass: LoggedAlerts },
  ],
  exports: [Alerts, WatchedChain, ReadProgress, ReadingProgress, InternalTransferCheck, WatchingStates],
})
export class ChainWatchingModule {}

/** Imported only by the worker. */
@Module({})
export class ChainWatchingWorkerModule {
  /** @param consumer module that exports the ports that this context requires */
  static for(consumer: Type): DynamicModule {
    return {
      module: ChainWatchingWorkerModule,
      imports: [NetworksModule, ChainWatchingModule, consumer],
      providers: [
        FollowChain,
        ReadNextBlocks,
        GatherFindings,
        ReadTaggedBlocks,
        ValidatedBlockTimes,
        MatchIncomingTransfers,
        CompleteIncomingTransfers,
        ReadPending,
        AcceptPending,
        FindInternalTransfers,
        RereadFinalBlocks,
        ConfirmationRead,
        CompareBlockReads,
        CompareNewestFinalBlock,
        CrossCheckTransfers,
        StoreFindings,
        RewindChain,
        {
          provide: IterationLimits,
          inject: [ChainWatchingSettings],
          useFactory: ({ isFixed }: ChainWatchingSettings): IterationLimits => ({
            ...new IterationLimits(),
            ...(isFixed && { iterationsBetweenRereads: 0 }),
          }),
        },
        RecordedPayouts,
        NetworkWatchers,
        ReadingPruning,
        WatcherMetrics,
      ],
    };
  }
}
