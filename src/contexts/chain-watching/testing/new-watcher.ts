import type { Clock } from '#shared/kernel/clock.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { Database } from '#shared/platform/database/database.js';
import type { Chains } from '#contexts/networks/contract/chains.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { Alerts } from '../contract/alerts.js';
import { AcceptPendingTransfers } from '../application/pending/accept-pending-transfers.js';
import { ReadPendingTransfers } from '../application/pending/read-pending-transfers.js';
import { EnrichIncomingTransfers } from '../application/reading/enrich-incoming-transfers.js';
import { MatchIncomingTransfers } from '../application/reading/match-incoming-transfers.js';
import { ValidatedBlockTimes } from '../application/reading/validated-block-times.js';
import { CompareNewestFinalBlock } from '../application/cross-check/compare-newest-final.js';
import { CompareBlockReads } from '../application/cross-check/compare-block-reads.js';
import { FindInternalTransfers } from '../application/internal-transfers/find-internal-transfers.js';
import { FollowChain } from '../application/follow-chain.js';
import { GatherFindings } from '../application/gather-findings.js';
import { EvaluateRequests } from '#contexts/payments/application/evaluation/evaluate-requests.js';
import { ReadFinalityTags } from '../application/reading/read-finality-tags.js';
import { ReadNextBlocks } from '../application/reading/read-next-blocks.js';
import { RereadFinalBlocks } from '../application/cross-check/reread-final-blocks.js';
import { ConfirmationRead } from '../application/cross-check/confirmation-read.js';
import { RewindChain } from '../application/reorganizations/rewind-chain.js';
import { StoreFindings } from '../application/store-findings.js';
import { IterationLimits } from '../application/iteration-limits.js';
import { CrossCheckTransfers } from '../application/cross-check/cross-check-transfers.js';
import type { PaymentRequests } from '#contexts/payments/domain/requests/payment-requests.js';
import type { PostgresWatchedChains } from '../infrastructure/persistence/postgres-watched-chains.js';
import { PostgresNativeBalances } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { ParkedRequests } from '#contexts/payments/infrastructure/requests/persistence/parked-requests.js';
import { RecordedPayouts } from '../infrastructure/persistence/recorded-payouts.js';
import { PostgresRecordedTransfers } from '#contexts/payments/infrastructure/evaluation/postgres-recorded-transfers.js';
import { PostgresPendingTransferRecords } from '#contexts/payments/infrastructure/evaluation/postgres-pending-transfer-records.js';
import { PostgresRequestsToEvaluate } from '#contexts/payments/infrastructure/evaluation/postgres-requests-to-evaluate.js';

interface WatcherParts {
  database: Database;
  clock: Clock;
  chains: Chains;
  catalogue: NetworkCatalogue;
  watched: PostgresWatchedChains;
  requests: PaymentRequests;
  alerts: Alerts;
  limits?: Partial<IterationLimits>;
}

/** Creates the use case that watches a network with all its parts, as in the worker. */
export function newWatcher(parts: WatcherParts): FollowChain {
  const { database, clock, chains, catalogue, watched, requests, alerts } = parts;
  const limits: IterationLimits = {
    ...new IterationLimits(),
    iterationsBetweenRereads: 0,
    ...parts.limits,
  };
  const transfers = new PostgresRecordedTransfers(database);
  const payouts = new RecordedPayouts(database, new EventLog(database));
  const toEvaluate = new PostgresRequestsToEvaluate(database);
  const balances = new PostgresNativeBalances(database);
  const times = new ValidatedBlockTimes(chains, catalogue, clock);
  const seen = new PostgresPendingTransferRecords(database);
  const complete = new EnrichIncomingTransfers(catalogue, seen, chains, clock);
  const arrivals = new MatchIncomingTransfers(chains, transfers, catalogue, complete);
  const accept = new AcceptPendingTransfers(chains, transfers, seen, arrivals, complete, catalogue);
  const internalTransfers = new FindInternalTransfers(chains, balances, catalogue, arrivals, alerts, limits);
  const confirmationRead = new ConfirmationRead(chains, arrivals);
  const comparing = new CompareBlockReads(chains, catalogue, arrivals);
  const evaluate = new EvaluateRequests(requests, new ParkedRequests(database), watched, catalogue, database);
  return new FollowChain(
    chains,
    watched,
    new ReadNextBlocks(chains, watched, times, internalTransfers, arrivals, catalogue, database, clock),
    new GatherFindings(
      chains,
      catalogue,
      watched,
      arrivals,
      new ReadFinalityTags(catalogue, chains, watched, alerts),
      new RereadFinalBlocks(
        chains,
        confirmationRead,
        watched,
        transfers,
        payouts,
        arrivals,
        comparing,
        new CompareNewestFinalBlock(chains, watched),
        alerts,
        limits,
      ),
      internalTransfers,
      new CrossCheckTransfers(chains, catalogue, watched, transfers, balances, comparing),
      complete,
      new ReadPendingTransfers(chains, seen, accept, arrivals, catalogue, clock),
      limits,
    ),
    new StoreFindings(
      catalogue,
      watched,
      transfers,
      seen,
      toEvaluate,
      payouts,
      balances,
      evaluate,
      database,
      clock,
    ),
    new RewindChain(chains, watched, transfers, evaluate, payouts, database, clock, alerts, limits),
    alerts,
  );
}
