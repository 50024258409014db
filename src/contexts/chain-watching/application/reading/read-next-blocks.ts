import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import {
  ChainUnavailable,
  type ChainHead,
  type FetchedBlock,
} from '#contexts/networks/contract/chain-reader.js';
import { smallestPaymentFinality } from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';
import type { Cursor } from '../../domain/cursor.js';
import { isReorganized, takeLinkedBlocks } from '../reorganizations/detect-reorganization.js';
import { ValidatedBlockTimes } from './validated-block-times.js';
import { FindInternalTransfers } from '../internal-transfers/find-internal-transfers.js';
import { MatchIncomingTransfers } from './match-incoming-transfers.js';
import { ReadingPace } from './reading-pace.js';

/** A reorganization right after the first iteration must find a stored common ancestor. */
const START_BLOCKS_BELOW_FINALITY = 256;
/** Bounds the length of a unit of work while catching up. */
const USUAL_BLOCKS_PER_ITERATION = 50;
const MAX_BLOCKS_PER_ITERATION = 200;

/** `reorganized`: the node's chain no longer contains the blocks read, so the cursor must move back. */
export type ReadNextBlocksResult =
  { readonly kind: 'read'; readonly blocks: readonly FetchedBlock[] } | { readonly kind: 'reorganized' };

@Injectable()
export class ReadNextBlocks {
  private readonly pace = new ReadingPace(USUAL_BLOCKS_PER_ITERATION, MAX_BLOCKS_PER_ITERATION);

  constructor(
    private readonly chains: Chains,
    private readonly chain: PostgresWatchedChains,
    private readonly times: ValidatedBlockTimes,
    private readonly internalTransfers: FindInternalTransfers,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly catalogue: NetworkCatalogue,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async createFirstCursor(network: string, { head, finalNumber }: ChainHead, epoch: bigint): Promise<void> {
    const { pendingGraceSeconds, ...configured } = this.catalogue.network(network)!;
    if (
      smallestPaymentFinality(configured).kind !== 'confirmations' &&
      finalNumber === null &&
      head.number > START_BLOCKS_BELOW_FINALITY
    )
      throw new ChainUnavailable(
        network,
        `it reports no finalized block below its head ${head.number}, so the watcher cannot choose a starting block.`,
      );
    const first = await this.chains
      .of(network)
      .reader.blockHeader(Math.max(0, (finalNumber ?? 0) - START_BLOCKS_BELOW_FINALITY));
    if (first === null) throw new ChainUnavailable(network, 'it does not return a block below its own head.');
    await this.times.validate(network, null, [{ header: first }]);
    // The service has displayed no address on this network yet, so no pending transfer can be missed.
    const pendingReadAt = pendingGraceSeconds === undefined ? null : await this.clock.now();
    await this.unitOfWork.run(() => this.chain.createCursorIfMissing(network, first, pendingReadAt, epoch));
  }

  async read(network: string, cursor: Cursor, node: ChainHead): Promise<ReadNextBlocksResult> {
    if (await isReorganized(this.chain, network, cursor.head, node.head)) return { kind: 'reorganized' };
    const blocks = await this.readNextBlocks(network, cursor, node);
    if (blocks === null) return { kind: 'reorganized' };
    return { kind: 'read', blocks: await this.times.validate(network, cursor.head.time, blocks) };
  }

  speedUp(network: string, blocks: readonly FetchedBlock[]): void {
    // Balances that show internal transfers are read per block, so more blocks than usual would take too long.
    this.pace.speedUp(
      network,
      this.internalTransfers.findNativeCoinWithInternalTransfers(network) === undefined ? blocks : [],
    );
  }

  /** Call if the blocks could not be stored, for example because of a statement timeout. */
  slowDown(network: string): void {
    this.pace.slowDown(network);
  }

  private async readNextBlocks(
    network: string,
    cursor: Cursor,
    node: ChainHead,
  ): Promise<readonly FetchedBlock[] | null> {
    try {
      return await this.readLinkedBlocks(network, cursor, node);
    } catch (error) {
      if (error instanceof ChainUnavailable) this.pace.slowDown(network);
      throw error;
    }
  }

  /** Null if the chain was reorganized. */
  private async readLinkedBlocks(
    network: string,
    cursor: Cursor,
    { head, finalNumber }: ChainHead,
  ): Promise<readonly FetchedBlock[] | null> {
    const from = cursor.head.number + 1;
    const to = Math.min(head.number, cursor.head.number + this.pace.blocksPerIteration(network));
    if (to < from) return [];
    const ours = this.matchTransfers.ownAddressLookup(network);
    const blocks = await this.chains.of(network).reader.blocks(from, to, finalNumber, ours);
    return takeLinkedBlocks(cursor.head, blocks);
  }
}
