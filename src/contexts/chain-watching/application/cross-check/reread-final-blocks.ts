import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  ChainUnavailable,
  type ChainAnswers,
  type BlockHeader,
} from '#contexts/networks/contract/chain-reader.js';
import { RecordedTransfers, type OwnedTransfer } from '../../contract/recorded-transfers.js';
import { RecordedPayouts, type RecordedPayout } from '../../domain/recorded-payouts.js';
import type { IncomingTransfer, Transfer } from '../../contract/incoming-transfer.js';
import { WatchedChain, type Block, type Cursor } from '../../domain/watched-chain.js';
import { Alerts } from '../../contract/alerts.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import { CompareNewestFinal } from './compare-newest-final.js';
import { ComparePayouts } from './compare-payouts.js';
import { CompareReadings } from './compare-readings.js';
import { inEither, only } from './transfers-of-readings.js';
import { blockMismatch, blockMismatchOf } from './block-mismatch.js';
import { ConfirmationRead, type Reading } from './confirmation-read.js';
import { ReadingPace } from '../reading/reading-pace.js';
import { TurnLimits } from '../turn-limits.js';

const REREAD_PER_TURN = 200;
/** Waiting iterations before the operator is alerted. Endpoints of the same chain are always some blocks apart. */
const WAITING_TURNS = 100;

/** Result of the confirmation read of final blocks. */
export interface Reread {
  /** The newest block that passed the confirmation read. The fields below resolve every difference up to it. */
  readonly finalNumber: number | null;
  readonly missed: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>;
  readonly payouts: readonly RecordedPayout[];
  /** Recorded transfers that no endpoint shows, and internal transfers that were derived from wrong movements. */
  readonly refuted: readonly OwnedTransfer[];
  readonly refutedPayouts: readonly RecordedPayout[];
  /** A sentence that explains why finality stops. Null while the endpoints agree. */
  readonly disagreement: string | null;
  /** True if the second endpoint does not report more blocks as final yet. The next due iteration queries it again. */
  readonly waits?: boolean;
}

/**
 * Reads every final block again, from another endpoint than the first time if there is one. This detects a node that skipped,
 * repeated or invented logs before its answers decide a request (docs/decisions/0013).
 */
@Injectable()
export class RereadFinalBlocks {
  private readonly pace = new ReadingPace(REREAD_PER_TURN);
  private readonly waitingTurns = new Map<string, number>();

  constructor(
    private readonly chains: Chains,
    private readonly confirmationRead: ConfirmationRead,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly payouts: RecordedPayouts,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly compareReadings: CompareReadings,
    private readonly comparePayouts: ComparePayouts,
    private readonly compareNewestFinal: CompareNewestFinal,
    private readonly alerts: Alerts,
    private readonly limits: TurnLimits,
  ) {}

  /**
   * While the endpoint for the confirmation read does not answer, finality waits and reading continues. Finality also waits until
   * the second endpoint reports the blocks as final, so that no endpoint decides finality alone.
   * @param validatedFinal the newest final block according to the endpoint that is read from; blocks above the cursor are not read
   * again
   */
  async reread(network: string, cursor: Cursor, validatedFinal: number | null): Promise<Reread> {
    const from = (cursor.finalNumber ?? cursor.head.number - 1) + 1;
    const to = Math.min(
      validatedFinal ?? -1,
      cursor.head.number,
      from + this.pace.blocksPerTurn(network) - 1,
    );
    if (to < from) return unchanged(cursor, await this.compareNewestFinal.compare(network, cursor));
    try {
      const bothFinal = await this.finalByBothEndpoints(network, to);
      if (bothFinal < from) return await this.notFinalYet(network, cursor, from, bothFinal);
      this.waitingTurns.delete(network);
      const upTo = await this.limited(network, from, bothFinal);
      const reread = await this.rereadBlocks(network, cursor, from, upTo);
      this.pace.speedUp(network);
      return { ...reread, waits: upTo === bothFinal && bothFinal < to };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.pace.slowDown(network);
      this.alerts.finalityDelayed(network, from, error.message);
      return unchanged(cursor, cursor.disagreement);
    }
  }

  /** The last block for one iteration. Always takes at least one block. */
  private async limited(network: string, from: number, to: number): Promise<number> {
    if (from === to) return to;
    return this.transfers.lastBlockWithin(network, from, to, this.limits.reread);
  }

  private async finalByBothEndpoints(network: string, to: number): Promise<number> {
    const { secondEndpoint } = this.chains.of(network);
    if (!secondEndpoint.isIndependent()) return to;
    return Math.min(to, (await secondEndpoint.finalNumber()) ?? -1);
  }

  /** Reads the block itself. An endpoint that is too far behind to have the block throws and is not waited for. */
  private async notFinalYet(network: string, cursor: Cursor, from: number, theirs: number): Promise<Reread> {
    const turns = (this.waitingTurns.get(network) ?? 0) + 1;
    this.waitingTurns.set(network, turns);
    const ours = this.matchTransfers.ownAddresses(network);
    const { last } = await this.chains.of(network).secondEndpoint.contents(from, from, ours);
    const known = await this.chain.block(network, from);
    const other = known === null ? null : this.otherBlock(network, known, last);
    if (turns >= WAITING_TURNS) {
      const reason = theirs < 0 ? 'no block is final' : `no block above ${theirs} is final`;
      this.alerts.finalityDelayed(network, from, `another endpoint reports that ${reason}.`);
    }
    return { ...unchanged(cursor, other ?? cursor.disagreement), waits: true };
  }

  private async rereadBlocks(network: string, cursor: Cursor, from: number, to: number): Promise<Reread> {
    const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    const known = await this.chain.blocks(network, numbers);
    const blocks = numbers.flatMap((number) => known.get(number) ?? []);
    if (blocks.length < numbers.length)
      throw new Error(
        `The database lacks a block of ${network} from ${from} to ${to}, although the cursor of the network is above this range.`,
      );
    const readings = await this.confirmationRead.read(network, blocks);
    for (const { last, contents } of readings) {
      const other = this.otherBlock(network, blocks.at(-1)!, last);
      // If there is a single endpoint, another hash means that its chain was reorganised. The next iteration finds the common
      // ancestor.
      if (other !== null || last.hash !== blocks.at(-1)!.hash) return unchanged(cursor, other);
      const different = contents.find(({ number, hash }) => known.get(number)?.hash !== hash);
      if (different !== undefined) {
        const { hash, number } = different;
        return unchanged(cursor, `another endpoint has block ${hash} at height ${number}.`);
      }
    }
    return this.compare(network, cursor, known, from, to, readings);
  }

  private async compare(
    network: string,
    cursor: Cursor,
    blocks: ReadonlyMap<number, Block>,
    from: number,
    to: number,
    readings: readonly Reading[],
  ): Promise<Reread> {
    const matched = readings.map(({ contents, by }) => {
      const located = contents.map((each) => ({ ...each, header: blocks.get(each.number)! }));
      return this.matchTransfers.match(network, located, by);
    });
    const [[second, reader], recorded, paidOut] = await Promise.all([
      Promise.all(matched),
      this.transfers.between(network, from, to),
      this.payouts.between(network, from, to),
    ]);
    const byRequest = inEither(second!.byRequest, reader?.byRequest);
    const difference = await this.compareReadings.compare([...byRequest.values()].flat(), recorded);
    if (typeof difference === 'string') return unchanged(cursor, difference);
    const { missed, refuted } = difference;
    const all = [...recorded.map(({ transfer }) => transfer), ...missed];
    for (const { by } of readings) {
      const other = await this.otherTime(network, to, all, by);
      if (other !== null) return unchanged(cursor, other);
    }
    const payouts = await this.comparePayouts.compare(network, second!.payouts, paidOut);
    if (typeof payouts === 'string') return unchanged(cursor, payouts);
    const wrong = [
      ...missed,
      ...payouts.refuted.map(({ address: to, blockNumber, uniqueAssetId }) => ({
        to,
        blockNumber,
        uniqueAssetId,
      })),
    ];
    return {
      finalNumber: to,
      missed: only(byRequest, missed),
      payouts: payouts.missed,
      refuted: [...refuted, ...(await this.concludedFrom(network, from, wrong))],
      refutedPayouts: payouts.refuted,
      disagreement: null,
    };
  }

  /** Internal transfers are the changes that no other movement explains. They must be found again if a movement proved wrong. */
  private async concludedFrom(
    network: string,
    from: number,
    wrong: readonly Pick<IncomingTransfer, 'to' | 'blockNumber' | 'uniqueAssetId'>[],
  ): Promise<OwnedTransfer[]> {
    if (wrong.length === 0) return [];
    const addresses = [...new Set(wrong.map(({ to }) => to))];
    const concluded = await this.transfers.balancesFrom(network, addresses, from);
    return concluded.filter(({ transfer }) =>
      wrong.some(
        ({ to, blockNumber, uniqueAssetId }) =>
          to === transfer.to &&
          blockNumber <= transfer.blockNumber &&
          uniqueAssetId === transfer.uniqueAssetId,
      ),
    );
  }

  private otherBlock(network: string, known: Block, theirs: BlockHeader): string | null {
    return this.chains.of(network).secondEndpoint.isIndependent() ? blockMismatch(known, theirs) : null;
  }

  /** @param compared the block whose timestamp is already verified */
  private async otherTime(
    network: string,
    compared: number,
    transfers: readonly Transfer[],
    by: ChainAnswers,
  ): Promise<string | null> {
    if (!this.chains.of(network).secondEndpoint.isIndependent()) return null;
    const others = transfers.filter(({ blockNumber }) => blockNumber !== compared);
    return blockMismatchOf(others, network, by);
  }
}

function unchanged({ finalNumber }: Cursor, disagreement: string | null): Reread {
  return { finalNumber, missed: new Map(), payouts: [], refuted: [], refutedPayouts: [], disagreement };
}
