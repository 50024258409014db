import type {
  BlockHeader,
  SecondEndpoint,
  IdentifiedBlockContents,
  OwnAddressLookup,
  BlockRangeContents,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { BlockOfEndpoint, Watched } from './endpoint-reading.js';
import { BlockMissingAtEndpoint, requireLinked, findOtherFork } from '../other-fork.js';
import { RpcChainQueries } from './rpc-chain-queries.js';

const BLOCKS_AT_A_TIME = 500;

export class RpcSecondEndpoint<W extends Watched, Block extends BlockOfEndpoint>
  extends RpcChainQueries<W, Block>
  implements SecondEndpoint
{
  protected readonly purpose = 'confirmation';

  isIndependent(): boolean {
    return this.pool.hasSecondEndpoint(this.network);
  }

  isOnlyEndpoint(): boolean {
    return this.pool.hasSingleEndpoint(this.network);
  }

  fingerprint(): string | null {
    return this.pool.secondEndpoint(this.network).fingerprint;
  }

  async finalNumber(): Promise<number | null> {
    return this.ask(async (endpoint, watched) => {
      const { head, finalNumber } = await this.headers.head(endpoint, watched);
      this.pool.recordHead(endpoint, head.header.number);
      return finalNumber;
    });
  }

  /**
   * Headers show the fork of each log, and their bloom filters show whether an empty answer is due to a lagging
   * index.
   */
  async contentsOfBlockRange(from: number, to: number, ours?: OwnAddressLookup): Promise<BlockRangeContents> {
    const watched = this.networks.watchedAssets(this.network);
    const endpoint = this.pool.secondEndpoint(this.network);
    try {
      const work = () => this.contentsBy(endpoint, from, to, watched, ours);
      const contents = await this.pool.asking(endpoint, work, this.purpose);
      this.pool.recordContentsServed(endpoint);
      return contents;
    } catch (error) {
      if (!(error instanceof BlockMissingAtEndpoint)) throw error;
      const last = await findOtherFork(this.pool, endpoint, error, {
        head: async (asked) => (await this.headers.head(asked, watched)).head.header,
        block: (asked, number) => this.headers.header(asked, number),
      });
      return { last, contents: [] };
    }
  }

  private async contentsBy(
    endpoint: Endpoint,
    from: number,
    to: number,
    watched: W,
    ours: OwnAddressLookup | undefined,
  ): Promise<BlockRangeContents> {
    const contents: IdentifiedBlockContents[] = [];
    let last: BlockHeader | null = null;
    for (let at = from; at <= to || last === null; at += BLOCKS_AT_A_TIME) {
      const count = Math.max(0, Math.min(to - at + 1, BLOCKS_AT_A_TIME));
      const numbers = Array.from({ length: count }, (_, i) => at + i);
      const read = await this.headers.blocks(endpoint, numbers, watched, ours);
      const parts = read.map((block) => block && { ...block.header, block });
      const blocks: Block[] = requireLinked(endpoint, at, parts, last).map(({ block }) => block);
      const found = await this.blockContents.contents(endpoint, blocks, to, watched, ours);
      found.forEach((each, i) => {
        if (each.transfers.length === 0 && each.payouts.length === 0) return;
        const { number, hash } = blocks[i]!.header;
        contents.push({ number, hash, ...each });
      });
      last = blocks.at(-1)!.header;
    }
    return { last, contents };
  }

  protected chosenEndpoint(): Endpoint {
    return this.pool.currentSecondEndpoint(this.network);
  }
}
