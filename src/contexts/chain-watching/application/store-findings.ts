import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { ChainProgress } from '../contract/incoming-transfer.js';
import { NativeBalances } from '../contract/native-balances.js';
import { RecordedTransfers } from '../contract/recorded-transfers.js';
import { PendingTransferRecords } from '../contract/pending-transfer-records.js';
import {
  RequestEvaluation,
  RequestsToEvaluate,
  type RequestEvaluationResult,
} from '../contract/requests-to-evaluate.js';
import type { Cursor, CursorMove } from '../domain/cursor.js';
import { computeGroupChanges } from '../domain/group-payouts.js';
import { RecordedPayouts } from '../infrastructure/persistence/recorded-payouts.js';
import { PostgresWatchedChains } from '../infrastructure/persistence/postgres-watched-chains.js';
import type { ChainFindings } from './gather-findings.js';
import { limitProgressByHiddenTransfer } from './internal-transfers/balance-comparison-progress.js';
import { makePendingAgain } from './pending/pending-again.js';
import { mergeTransfers } from './transfers-by-request.js';

/** Limits per iteration, which bound the length of one unit of work. */
const REQUESTS_PAST_DEADLINE_PER_ITERATION = 500;
const TRANSFERS_FINALIZED_PER_ITERATION = 500;
const REQUESTS_WITH_UNBOOKED_TRANSFERS_PER_ITERATION = 25;
const TRANSFERS_UNCOUNTED_PER_ITERATION = 1_000;

export interface StoreFindingsResult extends RequestEvaluationResult {
  readonly hasMore: boolean;
}

interface DueRequests {
  readonly ids: readonly PaymentRequestId[];
  readonly hasMore: boolean;
}

/**
 * The order matters. The cursor moves first, so that a second watcher fails before it writes. False transfers are
 * dropped before any becomes final. Each request is evaluated once, so that no intermediate state is published.
 */
@Injectable()
export class StoreFindings {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: PostgresWatchedChains,
    private readonly transfers: RecordedTransfers,
    private readonly seen: PendingTransferRecords,
    private readonly toEvaluate: RequestsToEvaluate,
    private readonly payouts: RecordedPayouts,
    private readonly balances: NativeBalances,
    private readonly requests: RequestEvaluation,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  store(
    network: string,
    cursor: Cursor,
    findings: ChainFindings,
    epoch: bigint,
  ): Promise<StoreFindingsResult> {
    const { blocks, incoming, reread, internalTransfers, pending } = findings;
    const move = this.toCursorMove(network, cursor, findings);
    const headTime = (blocks.at(-1)?.header ?? cursor.head).time;
    return this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const progress = await this.chain.advance(network, move, epoch);
      await this.recordPayouts(network, findings, now);
      const hasMorePayouts =
        progress.final !== null &&
        (await this.payouts.finalize(
          network,
          progress.final.finalized,
          TRANSFERS_FINALIZED_PER_ITERATION,
          now,
        ));
      await this.recordBalanceComparisons(network, findings);
      const lost = await this.dropAndConfirmTransfers(findings);
      const due = await this.finalizeAndSelectDueRequests(network, progress);
      const inBlocks = mergeTransfers(reread.missed, incoming.byRequest, internalTransfers.byRequest);
      const arrived = mergeTransfers(inBlocks, pending.byRequest, makePendingAgain(lost, headTime, inBlocks));
      const read = new Map([[network, progress]]);
      const evaluation = await this.requests.evaluate({ read, due: due.ids, lost, arrived }, now);
      const hasUncounted = await this.transfers.uncountTransfersOfEndedRequests(
        TRANSFERS_UNCOUNTED_PER_ITERATION,
      );
      return { ...evaluation, hasMore: due.hasMore || hasMorePayouts || hasUncounted };
    });
  }

  private toCursorMove(
    network: string,
    cursor: Cursor,
    { blocks, reread, ...found }: ChainFindings,
  ): CursorMove {
    const known = limitProgressByHiddenTransfer(found.internalTransfers.known, found.crossCheck.hiddenSince);
    return {
      from: cursor,
      blocks: blocks.map(({ header, readBy }) => ({ ...header, readBy })),
      finalNumber: reread.finalNumber,
      tagged: found.tagged,
      disagreement: reread.disagreement,
      maxLagSeconds: this.catalogue.network(network)!.maxLagSeconds,
      balancesKnownAt: known.at,
      balanceRound: known.round,
      pendingReadAt: found.pending.readAt,
    };
  }

  private async recordPayouts(network: string, { incoming, reread }: ChainFindings, at: Date): Promise<void> {
    const found = [...incoming.payouts, ...reread.payouts];
    const refuted = reread.refutedPayouts;
    if (found.length + refuted.length === 0) return;
    const recorded = await this.payouts.payoutsOfTransactions(network, [...refuted, ...found]);
    const addresses = [...recorded, ...found].map(({ address }) => address);
    const terms = await this.payouts.payoutTermsByAddress(network, [...new Set(addresses)]);
    const { removed, added } = computeGroupChanges(recorded, refuted, found, terms);
    // Wrong payouts are removed first, because correct payouts may have the same keys.
    await this.payouts.removeGroups(network, removed, at);
    await this.payouts.addGroups(network, added, at);
  }

  private async recordBalanceComparisons(
    network: string,
    { internalTransfers }: ChainFindings,
  ): Promise<void> {
    const { compared, ended, sweep } = internalTransfers;
    await this.balances.recordCompared(network, compared);
    await this.balances.unwatch(network, ended);
    if (sweep.kind === 'swept') await this.balances.recordDailyComparison(network, sweep.to);
  }

  /**
   * `recordMissing` comes first: if transfers are missing or back, it locks the requests of all these transfers in
   * one order.
   */
  private async dropAndConfirmTransfers({ reread, crossCheck, pending }: ChainFindings) {
    const refuted = [...reread.refuted, ...crossCheck.refuted].map(({ transfer }) => transfer.id);
    const dropped = [...refuted, ...pending.ended];
    const confirmed = [...crossCheck.confirmed.values()].flatMap((ids) => [...ids]);
    await this.seen.recordMissing(pending, [...dropped, ...confirmed]);
    const lost = await this.transfers.markOrphaned(dropped);
    await this.transfers.confirmCrossChecked(confirmed);
    return lost;
  }

  private async finalizeAndSelectDueRequests(network: string, progress: ChainProgress): Promise<DueRequests> {
    const others = this.catalogue
      .networks()
      .flatMap((each) => (each.network === network ? [] : each.network));
    const limit = REQUESTS_PAST_DEADLINE_PER_ITERATION;
    const pastDeadline = await this.toEvaluate.pastDeadline(network, others, progress, limit);
    const finalized =
      progress.final === null
        ? { requests: [], more: false }
        : await this.transfers.finalize(network, progress.final, TRANSFERS_FINALIZED_PER_ITERATION);
    const unbooked = await this.toEvaluate.withUnbookedTransfers(
      network,
      REQUESTS_WITH_UNBOOKED_TRANSFERS_PER_ITERATION,
    );
    return {
      ids: [...pastDeadline, ...finalized.requests, ...unbooked],
      hasMore: pastDeadline.length === limit || finalized.more,
    };
  }
}
