import { Injectable } from '@nestjs/common';
import { ChainReader, type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { WatchedChain, type Cursor } from '../domain/watched-chain.js';
import { Alerts } from '../contract/alerts.js';
import { BeginReading } from './reading/begin-reading.js';
import { GatherFindings, type Findings } from './gather-findings.js';
import { ReadOnward } from './reading/read-onward.js';
import { RewindChain } from './reorganisations/rewind-chain.js';
import { StoreFindings, type StoredCycle } from './store-findings.js';

/**
 * One turn of a network's watcher: reads onward from the cursor, stores what it found together with the moved cursor, and
 * judges the requests concerned. A turn happens wholly or not at all, so any process may take the next one. Its cost
 * depends on the blocks and their transfers, not on the number of requests ever made.
 */
@Injectable()
export class FollowChain {
  private readonly behind = new Map<string, number>();

  constructor(
    private readonly reader: ChainReader,
    private readonly chain: WatchedChain,
    private readonly beginReading: BeginReading,
    private readonly readOnward: ReadOnward,
    private readonly gatherFindings: GatherFindings,
    private readonly storeFindings: StoreFindings,
    private readonly rewindChain: RewindChain,
    private readonly alerts: Alerts,
  ) {}

  /**
   * @param epoch of the network's lease, which fences the writes
   * @returns whether the next turn has work at once
   * @throws ChainUnavailable, CursorMoved, LeaseLost: nothing was changed
   */
  async follow(network: string, epoch: bigint): Promise<boolean> {
    const node = await this.reader.head(network);
    const cursor = await this.chain.cursor(network);
    if (cursor === null) {
      await this.beginReading.begin(network, node, epoch);
      return true;
    }
    const blocks = await this.readOnward.read(network, cursor, node);
    if (blocks === null) return this.rewindChain.rewind(network, cursor, node.head, epoch);
    const findings = await this.gatherFindings.gather(network, cursor, node, blocks);
    const stored = await this.store(network, cursor, findings, epoch);
    findings.pending.settle();
    this.alertOf(network, findings, stored);
    this.behind.set(network, Math.max(0, node.head.number - readTo(cursor, findings)));
    return stored.more || findings.pending.hasMore || hasMoreToRead(cursor, node.head, findings);
  }

  /** The number of blocks, by network, that were unread at the end of the last turn that this process took. */
  blocksBehind(): ReadonlyMap<string, number> {
    return this.behind;
  }

  /** Another process takes the turns from now on. */
  leave(network: string): void {
    this.behind.delete(network);
  }

  /** After a failure the next turn stores less; CursorMoved and LeaseLost say that another process goes on. */
  private async store(
    network: string,
    cursor: Cursor,
    findings: Findings,
    epoch: bigint,
  ): Promise<StoredCycle> {
    try {
      const stored = await this.storeFindings.store(network, cursor, findings, epoch);
      this.readOnward.speedUp(network, findings.blocks);
      return stored;
    } catch (error) {
      this.readOnward.slowDown(network);
      throw error;
    }
  }

  private alertOf(network: string, { reread }: Findings, { reversals, parked }: StoredCycle): void {
    for (const { request, transfers } of reversals)
      this.alerts.creditedTransferDisappeared(network, request, transfers);
    for (const { request, reason } of parked) this.alerts.requestParked(request, reason);
    if (reread.disagreement !== null) this.alerts.endpointsDisagree(network, reread.disagreement);
    const missed = [...reread.missed.values()].flat().length + reread.payouts.length;
    const invented = reread.refuted.length + reread.refutedPayouts.length;
    if (missed + invented > 0) this.alerts.readingsDiffered(network, missed, invented);
  }
}

function readTo(cursor: Cursor, { blocks }: Findings): number {
  return (blocks.at(-1)?.header ?? cursor.head).number;
}

function hasMoreToRead(cursor: Cursor, head: BlockHeader, findings: Findings): boolean {
  const { blocks, validatedFinal, reread, internalTransfers } = findings;
  const lastRead = readTo(cursor, findings);
  const rereadTo = reread.finalNumber ?? -1;
  const advanced = blocks.length > 0 || rereadTo > (cursor.finalNumber ?? -1);
  // Blocks that are final already are read again by the next turn. An endpoint that does not answer is not asked before
  // the next turn is due.
  const rereadsMore =
    reread.disagreement === null &&
    reread.waits !== true &&
    advanced &&
    rereadTo < Math.min(validatedFinal ?? -1, lastRead);
  // What was concluded from balances is compared once more by the next turn.
  const comparesAgain = internalTransfers.byRequest.size > 0;
  return comparesAgain || rereadsMore || (lastRead < head.number && blocks.length > 0);
}
