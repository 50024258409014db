import { Injectable } from '@nestjs/common';
import { ChainReader, ChainUnavailable, type ReadBlock } from '#contexts/networks/contract/chain-reader.js';
import { WatchedChain, type Cursor } from '../../domain/watched-chain.js';
import { isReorganised, linkedTo } from '../reorganisations/detect-reorganisation.js';
import { ValidatedBlockTimes } from './validated-block-times.js';
import { FindInternalTransfers } from '../internal-transfers/find-internal-transfers.js';
import { MatchIncomingTransfers } from './match-incoming-transfers.js';
import { ReadingPace } from './reading-pace.js';

/** In one unit of work: bounds its length while catching up. */
const BLOCKS_PER_TURN = 50;
/** A second reading takes as many blocks in a turn. */
const SPARSE_BLOCKS_PER_TURN = 200;

/** The head and finality that a node answers at the beginning of a turn. */
export type NodeHead = Awaited<ReturnType<ChainReader['head']>>;

/** Reads the blocks behind a cursor, as many in a turn as the node and what is in them allow. */
@Injectable()
export class ReadOnward {
  private readonly pace = new ReadingPace(BLOCKS_PER_TURN, SPARSE_BLOCKS_PER_TURN);

  constructor(
    private readonly reader: ChainReader,
    private readonly chain: WatchedChain,
    private readonly times: ValidatedBlockTimes,
    private readonly internalTransfers: FindInternalTransfers,
    private readonly arrivals: MatchIncomingTransfers,
  ) {}

  /**
   * @returns null where the node's chain differs from what was read: the cursor must go back
   * @throws ChainUnavailable also where the next block's time cannot be right
   */
  async read(network: string, cursor: Cursor, node: NodeHead): Promise<readonly ReadBlock[] | null> {
    if (await isReorganised(this.chain, network, cursor.head, node.head)) return null;
    const blocks = await this.paced(network, cursor, node);
    return blocks === null ? null : this.times.validate(network, cursor.head.time, blocks);
  }

  /** These blocks were read and stored. */
  speedUp(network: string, blocks: readonly ReadBlock[]): void {
    // Native balances are read block by block, so their networks never get larger turns.
    this.pace.speedUp(network, this.internalTransfers.coinOf(network) === undefined ? blocks : []);
  }

  /** The blocks read could not be stored, for example within the time that a statement may take. */
  slowDown(network: string): void {
    this.pace.slowDown(network);
  }

  /** Reads linked blocks; after a failure of the node the next turn reads fewer. */
  private async paced(network: string, cursor: Cursor, node: NodeHead): Promise<readonly ReadBlock[] | null> {
    try {
      return await this.linked(network, cursor, node);
    } catch (error) {
      if (error instanceof ChainUnavailable) this.pace.slowDown(network);
      throw error;
    }
  }

  /** The next blocks, each linked to the one before; null where the chain was reorganised. */
  private async linked(
    network: string,
    cursor: Cursor,
    { head, finalNumber }: NodeHead,
  ): Promise<readonly ReadBlock[] | null> {
    const from = cursor.head.number + 1;
    const to = Math.min(head.number, cursor.head.number + this.pace.blocksPerTurn(network));
    if (to < from) return [];
    const ours = this.arrivals.ownAddresses(network);
    const blocks = await this.reader.blocks(network, from, to, finalNumber, ours);
    return linkedTo(cursor.head, blocks);
  }
}
