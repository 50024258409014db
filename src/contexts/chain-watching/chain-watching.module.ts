import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { RegisterInvariants } from '#shared/platform/invariants/registered-invariants.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { Alerts } from './contract/alerts.js';
import { CompareNewestFinalBlock } from './application/cross-check/compare-newest-final.js';
import { CompareBlockReads } from './application/cross-check/compare-block-reads.js';
import { ConfirmationRead } from './application/cross-check/confirmation-read.js';
import { CrossCheckTransfers } from './application/cross-check/cross-check-transfers.js';
import { RereadFinalBlocks } from './application/cross-check/reread-final-blocks.js';
import { FollowChain } from './application/follow-chain.js';
import { ReadFinalityTags } from './application/reading/read-finality-tags.js';
import { GatherFindings } from './application/gather-findings.js';
import { FindInternalTransfers } from './application/internal-transfers/find-internal-transfers.js';
import { AcceptPendingTransfers } from './application/pending/accept-pending-transfers.js';
import { ReadPendingTransfers } from './application/pending/read-pending-transfers.js';
import { EnrichIncomingTransfers } from './application/reading/enrich-incoming-transfers.js';
import { MatchIncomingTransfers } from './application/reading/match-incoming-transfers.js';
import { ReadNextBlocks } from './application/reading/read-next-blocks.js';
import { ValidatedBlockTimes } from './application/reading/validated-block-times.js';
import { RewindChain } from './application/reorganizations/rewind-chain.js';
import { StoreFindings } from './application/store-findings.js';
import { IterationLimits } from './application/iteration-limits.js';
import { InternalTransferCheck } from './contract/native-balances.js';
import { NetworkReadProgressQuery, ChainProgressQuery } from './contract/reading-progress.js';
import { WatchingStates } from './contract/watching-states.js';
import { PostgresInternalTransferCheck } from './infrastructure/persistence/postgres-internal-transfer-check.js';
import { RecordedPayouts } from './infrastructure/persistence/recorded-payouts.js';
import { PostgresWatchedChains } from './infrastructure/persistence/postgres-watched-chains.js';
import { cursorInvariants, payoutInvariants } from './infrastructure/persistence/watching-invariants.js';
import {
  PostgresWatchingStates,
  PostgresNetworkReadProgressQuery,
} from './infrastructure/persistence/postgres-watching-states.js';
import { LoggedAlerts } from './infrastructure/work/logged-alerts.js';
import { NetworkMetrics, WatcherMetrics } from './infrastructure/work/network-metrics.js';
import { ChainWatchingSettings, NetworkWatchers } from './infrastructure/work/network-watchers.js';
import { ChainDataPruning } from './infrastructure/work/chain-data-pruning.js';

@RegisterInvariants([...cursorInvariants, ...payoutInvariants])
@Module({
  imports: [NetworksModule],
  providers: [
    PostgresWatchedChains,
    { provide: ChainProgressQuery, useExisting: PostgresWatchedChains },
    { provide: NetworkReadProgressQuery, useClass: PostgresNetworkReadProgressQuery },
    { provide: InternalTransferCheck, useClass: PostgresInternalTransferCheck },
    PostgresWatchingStates,
    { provide: WatchingStates, useExisting: PostgresWatchingStates },
    NetworkMetrics,
    { provide: Alerts, useClass: LoggedAlerts },
  ],
  exports: [
    Alerts,
    PostgresWatchedChains,
    ChainProgressQuery,
    NetworkReadProgressQuery,
    InternalTransferCheck,
    WatchingStates,
  ],
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
        ReadFinalityTags,
        ValidatedBlockTimes,
        MatchIncomingTransfers,
        EnrichIncomingTransfers,
        ReadPendingTransfers,
        AcceptPendingTransfers,
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
        ChainDataPruning,
        WatcherMetrics,
      ],
    };
  }
}
