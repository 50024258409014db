import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { type BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import type { Cursor } from '../domain/cursor.js';
import { PostgresWatchedChains } from '../infrastructure/persistence/postgres-watched-chains.js';
import { Alerts } from '../contract/alerts.js';
import { GatherFindings, type ChainFindings } from './gather-findings.js';
import { ReadNextBlocks } from './reading/read-next-blocks.js';
import { RewindChain } from './reorganizations/rewind-chain.js';
import { StoreFindings, type StoreFindingsResult } from './store-findings.js';

/** Only the step that stores findings holds a database transaction, so that no transaction waits for a node. */
@Injectable()
export class FollowChain {
  private readonly behind = new Map<string, number>();

  constructor(
    private readonly chains: Chains,
    private readonly chain: PostgresWatchedChains,
    private readonly readNextBlocks: ReadNextBlocks,
    private readonly gatherFindings: GatherFindings,
    private readonly storeFindings: StoreFindings,
    private readonly rewindChain: RewindChain,
    private readonly alerts: Alerts,
  ) {}

  /**
   * @param epoch epoch of the network's lease, which fences the writes
   * @throws ChainUnavailable, CursorMoved, LeaseLost: nothing was changed
   */
  async follow(network: string, epoch: bigint): Promise<boolean> {
    const node = await this.chains.of(network).reader.head();
    const cursor = await this.chain.cursor(network);
    if (cursor === null) {
      await this.readNextBlocks.createFirstCursor(network, node, epoch);
      return true;
    }
    const read = await this.readNextBlocks.read(network, cursor, node);
    if (read.kind === 'reorganized') {
      const rewound = await this.rewindChain.rewind(network, cursor, node.head, epoch);
      return rewound.kind === 'moved';
    }
    const findings = await this.gatherFindings.collect(network, cursor, node, read.blocks);
    const stored = await this.storeAndAdjustPace(network, cursor, findings, epoch);
    findings.pending.onStored();
    this.reportAlerts(network, findings, stored);
    this.behind.set(network, Math.max(0, node.head.number - newestReadNumber(cursor, findings)));
    return stored.hasMore || hasMoreToProcess(cursor, node.head, findings);
  }

  blocksBehind(): ReadonlyMap<string, number> {
    return this.behind;
  }

  forgetNetwork(network: string): void {
    this.behind.delete(network);
  }

  /** If storing fails, the next iteration reads fewer blocks. */
  private async storeAndAdjustPace(
    network: string,
    cursor: Cursor,
    findings: ChainFindings,
    epoch: bigint,
  ): Promise<StoreFindingsResult> {
    try {
      const stored = await this.storeFindings.store(network, cursor, findings, epoch);
      this.readNextBlocks.speedUp(network, findings.blocks);
      return stored;
    } catch (error) {
      this.readNextBlocks.slowDown(network);
      throw error;
    }
  }

  private reportAlerts(
    network: string,
    { reread }: ChainFindings,
    { reversals, parked }: StoreFindingsResult,
  ): void {
    for (const { request, transfers } of reversals)
      this.alerts.creditedTransferDisappeared(network, request, transfers);
    for (const { request, reason } of parked) this.alerts.requestParked(request, reason);
    if (reread.disagreement !== null) this.alerts.endpointsDisagree(network, reread.disagreement);
    const missed = [...reread.missed.values()].flat().length + reread.payouts.length;
    const invented = reread.refuted.length + reread.refutedPayouts.length;
    if (missed + invented > 0) this.alerts.confirmationReadDiffered(network, missed, invented);
  }
}

function newestReadNumber(cursor: Cursor, { blocks }: ChainFindings): number {
  return (blocks.at(-1)?.header ?? cursor.head).number;
}

function hasMoreToProcess(cursor: Cursor, head: BlockHeader, findings: ChainFindings): boolean {
  const { blocks, pending, internalTransfers } = findings;
  const hasUnreadBlocks = blocks.length > 0 && newestReadNumber(cursor, findings) < head.number;
  // Internal transfers found in this iteration are cross-checked in the next one.
  const hasInternalTransfers = internalTransfers.byRequest.size > 0;
  return pending.hasMore || hasUnreadBlocks || hasInternalTransfers || hasBlocksToReread(cursor, findings);
}

/** Endpoints must not be called in a tight loop while the confirmation read makes no progress. */
function hasBlocksToReread(cursor: Cursor, findings: ChainFindings): boolean {
  const { blocks, newestToReread, reread } = findings;
  if (reread.disagreement !== null || reread.cannotProgressNow) return false;
  const rereadTo = reread.finalNumber ?? -1;
  const hasProgress = blocks.length > 0 || rereadTo > (cursor.finalNumber ?? -1);
  return hasProgress && rereadTo < Math.min(newestToReread ?? -1, newestReadNumber(cursor, findings));
}
