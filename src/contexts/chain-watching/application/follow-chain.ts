import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { WatchedChain, type Cursor } from '../domain/watched-chain.js';
import { Alerts } from '../contract/alerts.js';
import { BeginReading } from './reading/begin-reading.js';
import { GatherFindings, type Findings } from './gather-findings.js';
import { ReadOnward } from './reading/read-onward.js';
import { RewindChain } from './reorganisations/rewind-chain.js';
import { StoreFindings, type StoredCycle } from './store-findings.js';

/**
 * Runs one iteration of a network's watcher: reads blocks after the cursor, stores the findings together with the moved cursor, and
 * evaluates the requests concerned. An iteration is atomic, so any process may run the next one. Its cost depends on the blocks and
 * their transfers, not on the number of requests ever created.
 */
@Injectable()
export class FollowChain {
  private readonly behind = new Map<string, number>();

  constructor(
    private readonly chains: Chains,
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
   * @returns whether the next iteration has work immediately
   * @throws ChainUnavailable, CursorMoved, LeaseLost: nothing was changed
   */
  async follow(network: string, epoch: bigint): Promise<boolean> {
    const node = await this.chains.of(network).reader.head();
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

  /** Unread blocks by network, at the end of this process's last iteration. */
  blocksBehind(): ReadonlyMap<string, number> {
    return this.behind;
  }

  /** Forgets the network: another process watches it now. */
  leave(network: string): void {
    this.behind.delete(network);
  }

  /**
   * Stores the findings. After a failure the next iteration stores less. CursorMoved and LeaseLost mean that another process has
   * taken over.
   */
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
  // The next iteration continues the confirmation read of final blocks. If an endpoint does not answer, it is not called again
  // before the next iteration is due.
  const rereadsMore =
    reread.disagreement === null &&
    reread.waits !== true &&
    advanced &&
    rereadTo < Math.min(validatedFinal ?? -1, lastRead);
  // The next iteration compares internal transfers found by balances again.
  const comparesAgain = internalTransfers.byRequest.size > 0;
  return comparesAgain || rereadsMore || (lastRead < head.number && blocks.length > 0);
}
