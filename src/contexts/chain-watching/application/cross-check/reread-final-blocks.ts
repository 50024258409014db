import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  ChainUnavailable,
  type BlockHeader,
  type ChainQueries,
} from '#contexts/networks/contract/chain-reader.js';
import { RecordedTransfers, type TransferOfRequest } from '../../contract/recorded-transfers.js';
import type { RecordedPayout } from '../../domain/recorded-payouts.js';
import type { IncomingTransfer, Transfer } from '../../contract/incoming-transfer.js';
import type { Block, Cursor } from '../../domain/cursor.js';
import { RecordedPayouts } from '../../infrastructure/persistence/recorded-payouts.js';
import { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';
import { Alerts } from '../../contract/alerts.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import {
  mergeDistinctTransfers,
  keepOnlyTransfers,
  type TransfersByRequest,
} from '../transfers-by-request.js';
import { CompareNewestFinalBlock } from './compare-newest-final.js';
import { CompareBlockReads } from './compare-block-reads.js';
import { describeBlockMismatch, describeTransferBlockMismatch } from './block-mismatch.js';
import { ConfirmationRead, type ConfirmationReadResult } from './confirmation-read.js';
import { ReadingPace } from '../reading/reading-pace.js';
import { IterationLimits } from '../iteration-limits.js';

const BLOCKS_REREAD_PER_ITERATION = 200;
/** Endpoints of the same chain are always some blocks apart. */
const WAITING_ITERATIONS_BEFORE_ALERT = 100;

export interface RereadResult {
  /** The newest final block after this iteration. */
  readonly finalNumber: number | null;
  /** Transfers of final blocks that the first read did not report. */
  readonly missed: TransfersByRequest;
  /** Payouts of final blocks that the first read did not report. */
  readonly payouts: readonly RecordedPayout[];
  /** Recorded transfers that no endpoint reports, and internal transfers that were computed from wrong movements. */
  readonly refuted: readonly TransferOfRequest[];
  readonly refutedPayouts: readonly RecordedPayout[];
  readonly disagreement: string | null;
  /** True if another iteration now would make no progress. */
  readonly cannotProgressNow: boolean;
}

/**
 * Reads every final block a second time, if possible from another endpoint: a node may skip, repeat or invent logs
 * (docs/decisions/0013). Blocks that the second endpoint does not report as final wait, so that no single endpoint
 * decides finality.
 */
@Injectable()
export class RereadFinalBlocks {
  private readonly pace = new ReadingPace(BLOCKS_REREAD_PER_ITERATION);
  private readonly waitingIterations = new Map<string, number>();
  private readonly skippedIterations = new Map<string, number>();
  /** The newest block with a transfer or payout. Before the first iteration, any stored block may have one. */
  private readonly newestWithFindings = new Map<string, number>();

  constructor(
    private readonly chains: Chains,
    private readonly confirmationRead: ConfirmationRead,
    private readonly chain: PostgresWatchedChains,
    private readonly transfers: RecordedTransfers,
    private readonly payouts: RecordedPayouts,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly compareReadings: CompareBlockReads,
    private readonly compareNewestFinal: CompareNewestFinalBlock,
    private readonly alerts: Alerts,
    private readonly limits: IterationLimits,
  ) {}

  /** If the endpoint for the confirmation read does not answer, finality waits but new blocks are still read. */
  async reread(network: string, cursor: Cursor, newestToReread: number | null): Promise<RereadResult> {
    const first = (cursor.finalNumber ?? cursor.head.number - 1) + 1;
    const lastOfPace = first + this.pace.blocksPerIteration(network) - 1;
    const lastReadable = Math.min(newestToReread ?? -1, cursor.head.number, lastOfPace);
    if (lastReadable < first)
      return finalityUnchanged(
        cursor,
        await this.compareNewestFinal.compare(network, cursor, this.limits.iterationsBetweenRereads),
      );
    const skipped = this.skippedIterations.get(network) ?? 0;
    if (lastReadable < lastOfPace && skipped < this.iterationsToSkip(network, cursor, first)) {
      this.skippedIterations.set(network, skipped + 1);
      return { ...finalityUnchanged(cursor, cursor.disagreement), cannotProgressNow: true };
    }
    this.skippedIterations.delete(network);
    try {
      const lastFinal = await this.lastBlockFinalAtBothEndpoints(network, lastReadable);
      if (lastFinal < first)
        return await this.compareBlockNotFinalYet(network, cursor, first, lastFinal, skipped + 1);
      this.waitingIterations.delete(network);
      const last = await this.lastBlockWithinLimit(network, first, lastFinal);
      const reread = await this.rereadBlocks(network, cursor, first, last);
      this.pace.speedUp(network);
      return { ...reread, cannotProgressNow: last === lastFinal && lastFinal < lastReadable };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.pace.slowDown(network);
      this.alerts.finalityDelayed(network, first, error.message);
      return finalityUnchanged(cursor, cursor.disagreement);
    }
  }

  /** Call for each block in which a transfer or payout was found, so that its confirmation read does not wait. */
  recordBlockWithFindings(network: string, blockNumber: number): void {
    this.newestWithFindings.set(network, Math.max(blockNumber, this.newestWithFindings.get(network) ?? -1));
  }

  private iterationsToSkip(network: string, { head, disagreement }: Cursor, first: number): number {
    if (!this.newestWithFindings.has(network)) this.recordBlockWithFindings(network, head.number);
    const isUrgent = disagreement !== null || this.newestWithFindings.get(network)! >= first;
    return isUrgent ? 0 : this.limits.iterationsBetweenRereads;
  }

  private async lastBlockFinalAtBothEndpoints(network: string, last: number): Promise<number> {
    const { secondEndpoint } = this.chains.of(network);
    if (!secondEndpoint.isIndependent()) return last;
    return Math.min(last, (await secondEndpoint.finalNumber()) ?? -1);
  }

  private async lastBlockWithinLimit(network: string, first: number, last: number): Promise<number> {
    if (first === last) return last;
    return this.transfers.lastBlockWithin(network, first, last, this.limits.reread);
  }

  /** Detects a fork early, before the second endpoint reports the block as final. */
  private async compareBlockNotFinalYet(
    network: string,
    cursor: Cursor,
    first: number,
    theirFinal: number,
    sinceLastRead: number,
  ): Promise<RereadResult> {
    const iterations = (this.waitingIterations.get(network) ?? 0) + sinceLastRead;
    this.waitingIterations.set(network, iterations);
    const ours = this.matchTransfers.ownAddressLookup(network);
    const { last } = await this.chains.of(network).secondEndpoint.contentsOfBlockRange(first, first, ours);
    const known = await this.chain.block(network, first);
    const mismatch = known === null ? null : this.describeMismatchWithSecondEndpoint(network, known, last);
    if (iterations >= WAITING_ITERATIONS_BEFORE_ALERT) {
      const reason = theirFinal < 0 ? 'no block is final' : `no block above ${theirFinal} is final`;
      this.alerts.finalityDelayed(network, first, `another endpoint reports that ${reason}.`);
    }
    return { ...finalityUnchanged(cursor, mismatch ?? cursor.disagreement), cannotProgressNow: true };
  }

  private async rereadBlocks(
    network: string,
    cursor: Cursor,
    first: number,
    last: number,
  ): Promise<RereadResult> {
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const known = await this.chain.blocks(network, numbers);
    const blocks = numbers.flatMap((number) => known.get(number) ?? []);
    if (blocks.length < numbers.length)
      throw new Error(
        `The database lacks a block of ${network} from ${first} to ${last}, although the cursor of the network is above this range.`,
      );
    const readings = await this.confirmationRead.read(network, blocks);
    const newest = blocks.at(-1)!;
    for (const reading of readings) {
      const mismatch = this.describeMismatchWithSecondEndpoint(network, newest, reading.last);
      // With a single endpoint, another hash means that the chain was reorganized. The next iteration then finds
      // the common ancestor.
      if (mismatch !== null || reading.last.hash !== newest.hash) return finalityUnchanged(cursor, mismatch);
      const different = reading.contents.find(({ number, hash }) => known.get(number)?.hash !== hash);
      if (different !== undefined)
        return finalityUnchanged(
          cursor,
          `another endpoint has block ${different.hash} at height ${different.number}.`,
        );
    }
    return this.compareBlockContents(network, cursor, known, first, last, readings);
  }

  private async compareBlockContents(
    network: string,
    cursor: Cursor,
    blocks: ReadonlyMap<number, Block>,
    first: number,
    last: number,
    readings: readonly ConfirmationReadResult[],
  ): Promise<RereadResult> {
    const matched = readings.map(({ contents, by }) => {
      const located = contents.map((each) => ({ ...each, header: blocks.get(each.number)! }));
      return this.matchTransfers.match(network, located, by);
    });
    const [[second, reader], recorded, recordedPayouts] = await Promise.all([
      Promise.all(matched),
      this.transfers.transfersBetween(network, first, last),
      this.payouts.payoutsBetween(network, first, last),
    ]);
    const byRequest = mergeDistinctTransfers(second!.byRequest, reader?.byRequest);
    const transfers = await this.compareReadings.compareTransfers([...byRequest.values()].flat(), recorded);
    if (transfers.kind === 'disagreement') return finalityUnchanged(cursor, transfers.reason);
    const shown = [...recorded.map(({ transfer }) => transfer), ...transfers.missed];
    for (const { by } of readings) {
      const mismatch = await this.describeTimestampMismatch(network, last, shown, by);
      if (mismatch !== null) return finalityUnchanged(cursor, mismatch);
    }
    const payouts = await this.compareReadings.comparePayouts(network, second!.payouts, recordedPayouts);
    if (payouts.kind === 'disagreement') return finalityUnchanged(cursor, payouts.reason);
    const refutedPayouts = payouts.refuted.map(({ address, ...payout }) => ({ ...payout, to: address }));
    const wrong = [...transfers.missed, ...refutedPayouts];
    return {
      finalNumber: last,
      missed: keepOnlyTransfers(byRequest, transfers.missed),
      payouts: payouts.missed,
      refuted: [...transfers.refuted, ...(await this.findInternalTransfersAfter(network, first, wrong))],
      refutedPayouts: payouts.refuted,
      disagreement: null,
      cannotProgressNow: false,
    };
  }

  /**
   * An internal transfer is a balance change that nothing else explains, so it is computed again if another movement
   * proved wrong.
   */
  private async findInternalTransfersAfter(
    network: string,
    first: number,
    wrong: readonly Pick<IncomingTransfer, 'to' | 'blockNumber' | 'uniqueAssetId'>[],
  ): Promise<TransferOfRequest[]> {
    if (wrong.length === 0) return [];
    const addresses = [...new Set(wrong.map(({ to }) => to))];
    const internal = await this.transfers.internalTransfersFrom(network, addresses, first);
    return internal.filter(({ transfer }) =>
      wrong.some(
        ({ to, blockNumber, uniqueAssetId }) =>
          to === transfer.to &&
          blockNumber <= transfer.blockNumber &&
          uniqueAssetId === transfer.uniqueAssetId,
      ),
    );
  }

  private describeMismatchWithSecondEndpoint(
    network: string,
    known: Block,
    theirs: BlockHeader,
  ): string | null {
    return this.chains.of(network).secondEndpoint.isIndependent()
      ? describeBlockMismatch(known, theirs)
      : null;
  }

  private async describeTimestampMismatch(
    network: string,
    compared: number,
    transfers: readonly Transfer[],
    by: ChainQueries,
  ): Promise<string | null> {
    if (!this.chains.of(network).secondEndpoint.isIndependent()) return null;
    const others = transfers.filter(({ blockNumber }) => blockNumber !== compared);
    return describeTransferBlockMismatch(others, network, by);
  }
}

function finalityUnchanged({ finalNumber }: Cursor, disagreement: string | null): RereadResult {
  const none = { missed: new Map(), payouts: [], refuted: [], refutedPayouts: [] };
  return { ...none, finalNumber, disagreement, cannotProgressNow: false };
}
