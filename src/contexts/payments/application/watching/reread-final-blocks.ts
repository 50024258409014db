import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import {
  ChainUnavailable,
  SecondEndpoint,
  type BlockHeader,
  type ContentsAt,
} from '../../../networks/contract/chain-reader.js';
import {
  RecordedTransfers,
  type OwnedTransfer,
  type RecordedPayout,
} from '../../domain/watching/recorded-transfers.js';
import type { Arrival, Transfer } from '../../domain/requests/transfer.js';
import { WatchedChain, type Block, type Cursor } from '../../domain/watching/watched-chain.js';
import { Alerts } from './alerts.js';
import { MatchArrivals, type LocatedContents } from './match-arrivals.js';
import { CompareReadings, keyOf } from './compare-readings.js';
import { blockMismatch, blockMismatchOf } from './block-mismatch.js';
import { ReadingPace } from './reading-pace.js';

/** Blocks read again in one turn. */
const REREAD_PER_TURN = 200;
/** After so many turns with nothing to read again, endpoints are compared all the same. */
const IDLE_TURNS = 5;
/** Endpoints of one chain are some blocks apart all the time; what lasts for so many turns is told. */
const WAITING_TURNS = 100;

/** What the second reading says of blocks that can no longer disappear. */
export interface Reread {
  /** Up to it, both readings tell the same, or their difference is resolved below. */
  readonly finalNumber: number | null;
  /** What the first reading missed. */
  readonly missed: ReadonlyMap<PaymentRequestId, readonly Arrival[]>;
  /** What the first reading missed of the payouts. */
  readonly payouts: readonly RecordedPayout[];
  /** Recorded ones that no endpoint shows any more, and inner value that was concluded from what proved wrong. */
  readonly phantoms: readonly OwnedTransfer[];
  readonly phantomPayouts: readonly RecordedPayout[];
  /** Why nothing more is final, in a sentence; null where nothing speaks against it. */
  readonly disagreement: string | null;
  /** Another endpoint does not say yet that more is final; it is asked again when the next turn is due. */
  readonly waits?: boolean;
}

/**
 * Reads every block once more when its network says that it is final, by another endpoint where there is one: a node
 * that skipped, repeated or invented logs is found out before anything is decided by what it told.
 */
@Injectable()
export class RereadFinalBlocks {
  private readonly pace = new ReadingPace(REREAD_PER_TURN);
  private readonly idleTurns = new Map<string, number>();
  private readonly waitingTurns = new Map<string, number>();

  constructor(
    private readonly secondEndpoint: SecondEndpoint,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly arrivals: MatchArrivals,
    private readonly comparing: CompareReadings,
    private readonly alerts: Alerts,
  ) {}

  /**
   * Where the second endpoint does not answer, finality waits and the reading goes on. It also waits until that endpoint
   * says that the blocks are final: how deep they lie is otherwise the word of the one that is read from.
   * @param believed what is final by the endpoint that is read from; nothing above the cursor is read again yet
   */
  async upTo(network: string, cursor: Cursor, believed: number | null): Promise<Reread> {
    const from = (cursor.finalNumber ?? cursor.head.number - 1) + 1;
    const to = Math.min(believed ?? -1, cursor.head.number, from + this.pace.of(network) - 1);
    if (to < from) return unchanged(cursor, await this.stillAgree(network, cursor));
    try {
      const agreed = await this.finalToBoth(network, to);
      if (agreed < from) return await this.notFinalYet(network, cursor, from, agreed);
      this.waitingTurns.delete(network);
      const reread = await this.again(network, cursor, from, agreed);
      this.pace.speedUp(network);
      return { ...reread, waits: agreed < to };
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.pace.slowDown(network);
      this.alerts.finalityWaits(network, from, error.message);
      return unchanged(cursor, cursor.disagreement);
    }
  }

  private async finalToBoth(network: string, to: number): Promise<number> {
    if (!this.secondEndpoint.isIndependent(network)) return to;
    return Math.min(to, (await this.secondEndpoint.finalNumber(network)) ?? -1);
  }

  /** Asks for the block itself: of an endpoint that is too far behind to know it, no word is waited for. */
  private async notFinalYet(network: string, cursor: Cursor, from: number, theirs: number): Promise<Reread> {
    const turns = (this.waitingTurns.get(network) ?? 0) + 1;
    this.waitingTurns.set(network, turns);
    const { last } = await this.secondEndpoint.contents(network, from, from);
    const known = await this.chain.block(network, from);
    const other = known === null ? null : this.otherBlock(network, known, last);
    if (turns >= WAITING_TURNS) {
      const reason = theirs < 0 ? 'no block is final' : `none above ${theirs} is final`;
      this.alerts.finalityWaits(network, from, `by another endpoint's word ${reason}.`);
    }
    return { ...unchanged(cursor, other ?? cursor.disagreement), waits: true };
  }

  /**
   * While nothing new is final, another endpoint is asked now and then for the newest block that is: one that was away
   * when it became final may have come back with another.
   */
  private async stillAgree(network: string, cursor: Cursor): Promise<string | null> {
    const idle = (this.idleTurns.get(network) ?? 0) + 1;
    this.idleTurns.set(network, idle);
    const { finalNumber, disagreement } = cursor;
    if (finalNumber === null || idle % IDLE_TURNS > 0) return disagreement;
    try {
      if (!this.secondEndpoint.isIndependent(network)) return disagreement;
      const [known, theirs] = await Promise.all([
        this.chain.block(network, finalNumber),
        this.secondEndpoint.block(network, finalNumber),
      ]);
      if (known === null || theirs === null) return disagreement;
      return theirs.hash === known.hash ? null : this.otherBlock(network, known, theirs);
    } catch (error) {
      // Nobody waits for this answer.
      if (error instanceof ChainUnavailable) return disagreement;
      throw error;
    }
  }

  private async again(network: string, cursor: Cursor, from: number, to: number): Promise<Reread> {
    const { last, contents } = await this.secondEndpoint.contents(network, from, to);
    const blocks = await this.chain.blocks(network, [...contents.map(({ number }) => number), to]);
    const known = blocks.get(to);
    if (known === undefined)
      throw new Error(`${network} has no block ${to} although its cursor stands above it.`);
    const other = this.otherBlock(network, known, last);
    // Without a witness of its own the endpoint has merely changed its mind: the next turn finds out where.
    if (other !== null || last.hash !== known.hash) return unchanged(cursor, other);
    const stranger = contents.find(({ number, hash }) => blocks.get(number)?.hash !== hash);
    if (stranger !== undefined) {
      const { hash, number } = stranger;
      return unchanged(cursor, `another endpoint has block ${hash} at height ${number}.`);
    }
    return this.compare(network, cursor, from, to, contents, blocks);
  }

  private async compare(
    network: string,
    cursor: Cursor,
    from: number,
    to: number,
    contents: readonly ContentsAt[],
    blocks: ReadonlyMap<number, Block>,
  ): Promise<Reread> {
    const located: LocatedContents[] = contents.map((each) => ({
      ...each,
      header: blocks.get(each.number)!,
    }));
    const [again, recorded, paidOut] = await Promise.all([
      this.arrivals.of(network, located, this.secondEndpoint),
      this.transfers.between(network, from, to),
      this.transfers.payoutsBetween(network, from, to),
    ]);
    const verdict = await this.comparing.execute([...again.byRequest.values()].flat(), recorded);
    if (typeof verdict === 'string') return unchanged(cursor, verdict);
    const { missed, phantoms } = verdict;
    const other = await this.otherTime(network, to, [...recorded.map(({ transfer }) => transfer), ...missed]);
    if (other !== null) return unchanged(cursor, other);
    const shown = new Set(again.payouts.map(placeOf));
    const known = new Set(paidOut.map(placeOf));
    const phantomPayouts = paidOut.filter((payout) => !shown.has(placeOf(payout)));
    const payouts = again.payouts.filter((payout) => !known.has(placeOf(payout)));
    const wrong = [
      ...missed,
      ...phantomPayouts.map(({ address, blockNumber }) => ({ to: address, blockNumber })),
    ];
    return {
      finalNumber: to,
      missed: only(again.byRequest, missed),
      payouts,
      phantoms: [...phantoms, ...(await this.concludedFrom(network, from, wrong))],
      phantomPayouts,
      disagreement: null,
    };
  }

  /** Inner value is what nothing else explained: it is looked for again where something else proves to have been. */
  private async concludedFrom(
    network: string,
    from: number,
    wrong: readonly Pick<Arrival, 'to' | 'blockNumber'>[],
  ): Promise<OwnedTransfer[]> {
    if (wrong.length === 0) return [];
    const addresses = [...new Set(wrong.map(({ to }) => to))];
    const concluded = await this.transfers.balancesFrom(network, addresses, from);
    return concluded.filter(({ transfer }) =>
      wrong.some(({ to, blockNumber }) => to === transfer.to && blockNumber <= transfer.blockNumber),
    );
  }

  private otherBlock(network: string, known: Block, theirs: BlockHeader): string | null {
    return this.secondEndpoint.isIndependent(network) ? blockMismatch(known, theirs) : null;
  }

  /** @param compared the block whose time is known to be the same */
  private async otherTime(
    network: string,
    compared: number,
    transfers: readonly Transfer[],
  ): Promise<string | null> {
    if (!this.secondEndpoint.isIndependent(network)) return null;
    const others = transfers.filter(({ blockNumber }) => blockNumber !== compared);
    return blockMismatchOf(others, network, this.secondEndpoint);
  }
}

function unchanged({ finalNumber }: Cursor, disagreement: string | null): Reread {
  return { finalNumber, missed: new Map(), payouts: [], phantoms: [], phantomPayouts: [], disagreement };
}

function only(
  byRequest: ReadonlyMap<PaymentRequestId, readonly Arrival[]>,
  missed: readonly Arrival[],
): Map<PaymentRequestId, Arrival[]> {
  const keys = new Set(missed.map(keyOf));
  const lists = [...byRequest].map(
    ([id, arrived]) => [id, arrived.filter((transfer) => keys.has(keyOf(transfer)))] as const,
  );
  return new Map(lists.filter(([, list]) => list.length > 0));
}

function placeOf({ transactionHash, logIndex, address, amount }: RecordedPayout): string {
  return `${transactionHash} ${logIndex} ${address} ${amount}`;
}
