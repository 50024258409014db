import type { Clock } from '#shared/kernel/clock.js';
import { EventLog } from '#shared/platform/event-log/event-log.js';
import type { Database } from '#shared/platform/database/database.js';
import type { ChainReader, SecondEndpoint } from '#contexts/networks/contract/chain-reader.js';
import type { PendingTransfers } from '#contexts/networks/contract/pending-transfers.js';
import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { Alerts } from '../contract/alerts.js';
import { AcceptPending } from '../application/pending/accept-pending.js';
import { ReadPending } from '../application/pending/read-pending.js';
import { CompleteIncomingTransfers } from '../application/reading/complete-incoming-transfers.js';
import { MatchIncomingTransfers } from '../application/reading/match-incoming-transfers.js';
import { ValidatedBlockTimes } from '../application/reading/validated-block-times.js';
import { CompareNewestFinal } from '../application/cross-check/compare-newest-final.js';
import { CompareReadings } from '../application/cross-check/compare-readings.js';
import { FindInternalTransfers } from '../application/internal-transfers/find-internal-transfers.js';
import { FollowChain } from '../application/follow-chain.js';
import { GatherFindings } from '../application/gather-findings.js';
import { EvaluateRequests } from '#contexts/payments/application/evaluation/evaluate-requests.js';
import { ReadOnward } from '../application/reading/read-onward.js';
import { RereadFinalBlocks } from '../application/cross-check/reread-final-blocks.js';
import { ConfirmationRead } from '../application/cross-check/confirmation-read.js';
import { RewindChain } from '../application/reorganisations/rewind-chain.js';
import { StoreFindings } from '../application/store-findings.js';
import { TurnLimits } from '../application/turn-limits.js';
import { CrossCheckTransfers } from '../application/cross-check/cross-check-transfers.js';
import type { PaymentRequests } from '#contexts/payments/domain/requests/payment-requests.js';
import type { PostgresWatchedChain } from '../infrastructure/persistence/postgres-watched-chain.js';
import { PostgresNativeBalances } from '#contexts/payments/infrastructure/evaluation/postgres-native-balances.js';
import { PostgresParkedRequests } from '#contexts/payments/infrastructure/requests/persistence/postgres-parked-requests.js';
import { PostgresRecordedPayouts } from '../infrastructure/persistence/postgres-recorded-payouts.js';
import { PostgresRecordedTransfers } from '#contexts/payments/infrastructure/evaluation/postgres-recorded-transfers.js';
import { PostgresSeenTransfers } from '#contexts/payments/infrastructure/evaluation/postgres-seen-transfers.js';
import { PostgresRequestsToEvaluate } from '#contexts/payments/infrastructure/evaluation/postgres-requests-to-evaluate.js';

interface Parts {
  database: Database;
  clock: Clock;
  reader: ChainReader;
  secondEndpoint: SecondEndpoint;
  catalogue: NetworkCatalogue;
  watched: PostgresWatchedChain;
  requests: PaymentRequests;
  alerts: Alerts;
  /** Absent: nothing waits for a block. */
  pending?: PendingTransfers;
  limits?: Partial<TurnLimits>;
}

const NO_PENDING: PendingTransfers = {
  look: async () => ({ transfers: [], isWhole: true, ageMs: 0, hasMore: false, has: () => false }),
  fates: () => Promise.reject(new Error('Nothing waits for a block.')),
  conflict: () => false,
  conflictingParts: () => [],
};

/** The use case with everything that it is made of, as the worker has it. */
export function newWatcher(parts: Parts): FollowChain {
  const { database, clock, reader, secondEndpoint, catalogue, watched, requests, alerts } = parts;
  const limits: TurnLimits = { ...new TurnLimits(), ...parts.limits };
  const transfers = new PostgresRecordedTransfers(database);
  const payouts = new PostgresRecordedPayouts(database, new EventLog(database));
  const toJudge = new PostgresRequestsToEvaluate(database);
  const balances = new PostgresNativeBalances(database);
  const times = new ValidatedBlockTimes(reader, catalogue, clock);
  const seen = new PostgresSeenTransfers(database);
  const pending = parts.pending ?? NO_PENDING;
  const complete = new CompleteIncomingTransfers(catalogue, seen, pending, clock);
  const arrivals = new MatchIncomingTransfers(reader, transfers, catalogue, complete);
  const accept = new AcceptPending(pending, transfers, seen, arrivals, complete, catalogue);
  const internalTransfers = new FindInternalTransfers(reader, balances, catalogue, arrivals, alerts, limits);
  const confirmationRead = new ConfirmationRead(reader, secondEndpoint, arrivals);
  const comparing = new CompareReadings(reader, secondEndpoint, catalogue, arrivals);
  const judge = new EvaluateRequests(
    requests,
    new PostgresParkedRequests(database),
    watched,
    catalogue,
    database,
  );
  return new FollowChain(
    reader,
    watched,
    new ReadOnward(reader, watched, times, internalTransfers, arrivals, catalogue, database, clock),
    new GatherFindings(
      reader,
      catalogue,
      watched,
      arrivals,
      new RereadFinalBlocks(
        secondEndpoint,
        confirmationRead,
        watched,
        transfers,
        payouts,
        arrivals,
        comparing,
        new CompareNewestFinal(secondEndpoint, watched),
        alerts,
        limits,
      ),
      internalTransfers,
      new CrossCheckTransfers(reader, secondEndpoint, catalogue, watched, transfers, balances, comparing),
      complete,
      new ReadPending(reader, pending, seen, accept, arrivals, catalogue, clock),
      limits,
    ),
    new StoreFindings(
      catalogue,
      watched,
      transfers,
      seen,
      toJudge,
      payouts,
      balances,
      judge,
      database,
      clock,
    ),
    new RewindChain(
      reader,
      secondEndpoint,
      watched,
      transfers,
      judge,
      payouts,
      database,
      clock,
      alerts,
      limits,
    ),
    alerts,
  );
}
