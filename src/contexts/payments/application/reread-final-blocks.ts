import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '../../../shared/kernel/ids.js';
import {
  ChainReader,
  ChainUnavailable,
  ChainWitness,
  type ChainTransfer,
  type ContentsAt,
} from '../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../networks/contract/network-catalogue.js';
import { RecordedTransfers, type OwnedTransfer, type RecordedPayout } from '../domain/recorded-transfers.js';
import type { RecordedTransfer, Transfer } from '../domain/transfer.js';
import { WatchedChain, type Block, type Cursor } from '../domain/watched-chain.js';
import { Alerts } from './alerts.js';
import { MatchArrivals, type Arrival, type LocatedContents } from './arrivals.js';
import { ReadingPace } from './reading-pace.js';

/** Blocks read again in one turn. */
const REREAD_PER_TURN = 200;

/** What the second reading says of blocks that can no longer disappear. */
export interface Reread {
  /** Up to it, both readings tell the same, or their difference is resolved below. */
  readonly finalNumber: number | null;
  /** What the first reading missed. */
  readonly missed: ReadonlyMap<PaymentRequestId, readonly Arrival[]>;
  /** Recorded ones that no endpoint shows any more. */
  readonly phantoms: readonly OwnedTransfer[];
  readonly payouts: readonly RecordedPayout[];
  /** Why nothing more is final, in a sentence; null where nothing speaks against it. */
  readonly disagreement: string | null;
}

/**
 * Reads every block once more when its network says that it is final, by another endpoint where there is one: a node
 * that skipped, repeated or invented logs is found out before anything is decided by what it told.
 */
@Injectable()
export class RereadFinalBlocks {
  private readonly pace = new ReadingPace(REREAD_PER_TURN);

  constructor(
    private readonly reader: ChainReader,
    private readonly witness: ChainWitness,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly arrivals: MatchArrivals,
    private readonly alerts: Alerts,
  ) {}

  /**
   * Where the second endpoint does not answer, finality waits and the reading goes on.
   * @param believed what the network says is final; nothing above the cursor is read again yet
   */
  async upTo(network: string, cursor: Cursor, believed: number | null): Promise<Reread> {
    const from = (cursor.finalNumber ?? cursor.head.number - 1) + 1;
    const to = Math.min(believed ?? -1, cursor.head.number, from + this.pace.of(network) - 1);
    if (to < from) return this.unchanged(cursor, cursor.disagreement);
    try {
      const reread = await this.again(network, cursor, from, to);
      this.pace.speedUp(network);
      return reread;
    } catch (error) {
      if (!(error instanceof ChainUnavailable)) throw error;
      this.pace.slowDown(network);
      this.alerts.finalityWaits(network, from, error.message);
      return this.unchanged(cursor, cursor.disagreement);
    }
  }

  private async again(network: string, cursor: Cursor, from: number, to: number): Promise<Reread> {
    const { last, contents } = await this.witness.contents(network, from, to);
    const blocks = await this.chain.blocks(network, [...contents.map(({ number }) => number), to]);
    const known = blocks.get(to);
    if (known === undefined)
      throw new Error(`${network} has no block ${to} although its cursor stands above it.`);
    // Without a witness of its own the endpoint has merely changed its mind: the next turn finds out where.
    if (last.hash !== known.hash) return this.unchanged(cursor, this.otherBlock(network, known, last.hash));
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
    const stranger = contents.find(({ number, hash }) => blocks.get(number)?.hash !== hash);
    if (stranger !== undefined)
      return this.unchanged(
        cursor,
        `another endpoint has block ${stranger.hash} at height ${stranger.number}.`,
      );
    const located: LocatedContents[] = contents.map((each) => ({
      ...each,
      header: blocks.get(each.number)!,
    }));
    const [again, ours] = await Promise.all([
      this.arrivals.of(network, located, this.witness),
      this.transfers.between(network, from, to),
    ]);
    const recorded = new Set(ours.map(({ transfer }) => keyOf(transfer)));
    const told = new Set([...again.byRequest.values()].flat().map(keyOf));
    const missed = [...again.byRequest].map(
      ([id, arrived]) => [id, arrived.filter((transfer) => !recorded.has(keyOf(transfer)))] as const,
    );
    const unseen = ours.filter(({ transfer }) => !told.has(keyOf(transfer)));
    const disagreement =
      (await this.contradicted(missed.flatMap(([, list]) => list))) ?? (await this.unshown(unseen));
    if (typeof disagreement === 'string') return this.unchanged(cursor, disagreement);
    return {
      finalNumber: to,
      missed: new Map(missed.filter(([, list]) => list.length > 0)),
      phantoms: disagreement ?? [],
      payouts: again.payouts,
      disagreement: null,
    };
  }

  /** What only the second reading shows is believed where the receipt says so to the endpoint of the first. */
  private async contradicted(missed: readonly Arrival[]): Promise<string | null> {
    for (const transfer of missed) {
      if (await this.reader.holds(transfer.network, transfer.blockHash, this.asTold(transfer))) continue;
      return `only one endpoint shows transfer ${nameOf(transfer)}.`;
    }
    return null;
  }

  /** @returns those that neither endpoint shows, or a sentence where one still does and the other does not */
  private async unshown(unseen: readonly OwnedTransfer[]): Promise<OwnedTransfer[] | string> {
    const phantoms: OwnedTransfer[] = [];
    for (const each of unseen) {
      const { transfer } = each;
      const told = this.asTold(transfer);
      if (await this.witness.holds(transfer.network, transfer.blockHash, told)) continue;
      if (await this.reader.holds(transfer.network, transfer.blockHash, told)) {
        return `only one endpoint shows transfer ${nameOf(transfer)}.`;
      }
      phantoms.push(each);
    }
    return phantoms;
  }

  asTold({
    network,
    kind,
    transactionHash,
    index,
    uniqueAssetId,
    from,
    to,
    amount,
  }: Transfer): ChainTransfer {
    if (kind === 'balance' || transactionHash === null) throw new Error('A balance has no receipt.');
    const token =
      this.catalogue
        .assets()
        .find((asset) => asset.network === network && asset.uniqueAssetId === uniqueAssetId)?.token ??
      uniqueAssetId.slice(uniqueAssetId.lastIndexOf('_t') + 2).toLowerCase();
    return { kind, transactionHash, index, token, from, to, amount };
  }

  private otherBlock(network: string, { number, hash }: Block, theirs: string): string | null {
    if (!this.witness.isIndependent(network)) return null;
    return `another endpoint has block ${theirs} at height ${number}, where ${hash} was read.`;
  }

  private unchanged({ finalNumber }: Cursor, disagreement: string | null): Reread {
    return { finalNumber, missed: new Map(), phantoms: [], payouts: [], disagreement };
  }
}

function keyOf({ kind, transactionHash, index, to, amount }: Transfer | RecordedTransfer): string {
  return `${kind} ${transactionHash} ${index} ${to} ${amount}`;
}

function nameOf({ transactionHash, index, blockNumber }: Transfer): string {
  return `${index} of ${transactionHash} in block ${blockNumber}`;
}
