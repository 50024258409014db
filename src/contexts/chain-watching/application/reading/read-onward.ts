import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  ChainUnavailable,
  type ChainHead,
  type ReadBlock,
} from '#contexts/networks/contract/chain-reader.js';
import { WatchedChain, type Cursor } from '../../domain/watched-chain.js';
import { isReorganised, linkedTo } from '../reorganisations/detect-reorganisation.js';
import { ValidatedBlockTimes } from './validated-block-times.js';
import { FindInternalTransfers } from '../internal-transfers/find-internal-transfers.js';
import { MatchIncomingTransfers } from './match-incoming-transfers.js';
import { ReadingPace } from './reading-pace.js';

/** Blocks in one unit of work, to bound its length while catching up. */
const BLOCKS_PER_TURN = 50;
/** Limit for blocks with few transfers. The confirmation read takes the same number. */
const SPARSE_BLOCKS_PER_TURN = 200;

/** Reads the blocks after a cursor, as many per iteration as the node and the block contents allow. */
@Injectable()
export class ReadOnward {
  private readonly pace = new ReadingPace(BLOCKS_PER_TURN, SPARSE_BLOCKS_PER_TURN);

  constructor(
    private readonly chains: Chains,
    private readonly chain: WatchedChain,
    private readonly times: ValidatedBlockTimes,
    private readonly internalTransfers: FindInternalTransfers,
    private readonly arrivals: MatchIncomingTransfers,
  ) {}

  /**
   * @returns null if the node's chain differs from the blocks read, so the cursor must move back
   * @throws ChainUnavailable also if the timestamp of the next block is impossible
   */
  async read(network: string, cursor: Cursor, node: ChainHead): Promise<readonly ReadBlock[] | null> {
    if (await isReorganised(this.chain, network, cursor.head, node.head)) return null;
    const blocks = await this.paced(network, cursor, node);
    return blocks === null ? null : this.times.validate(network, cursor.head.time, blocks);
  }

  /** Call after these blocks were stored. */
  speedUp(network: string, blocks: readonly ReadBlock[]): void {
    // Native balances are read per block, so networks with a native coin never get larger iterations.
    this.pace.speedUp(network, this.internalTransfers.coinOf(network) === undefined ? blocks : []);
  }

  /** Call if the blocks could not be stored, for example because of a statement timeout. */
  slowDown(network: string): void {
    this.pace.slowDown(network);
  }

  /** Reads linked blocks. If the node fails, the next iteration reads fewer. */
  private async paced(
    network: string,
    cursor: Cursor,
    node: ChainHead,
  ): Promise<readonly ReadBlock[] | null> {
    try {
      return await this.linked(network, cursor, node);
    } catch (error) {
      if (error instanceof ChainUnavailable) this.pace.slowDown(network);
      throw error;
    }
  }

  /** The next blocks, each linked to its predecessor. Null if the chain was reorganised. */
  private async linked(
    network: string,
    cursor: Cursor,
    { head, finalNumber }: ChainHead,
  ): Promise<readonly ReadBlock[] | null> {
    const from = cursor.head.number + 1;
    const to = Math.min(head.number, cursor.head.number + this.pace.blocksPerTurn(network));
    if (to < from) return [];
    const ours = this.arrivals.ownAddresses(network);
    const blocks = await this.chains.of(network).reader.blocks(from, to, finalNumber, ours);
    return linkedTo(cursor.head, blocks);
  }
}
