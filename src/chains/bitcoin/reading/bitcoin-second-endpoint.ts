import type {
  IdentifiedBlockContents,
  OwnAddressLookup,
  BlockRangeContents,
  SecondEndpoint,
} from '#contexts/networks/contract/chain-reader.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { BlockMissingAtEndpoint, requireLinked, findOtherFork } from '../../rpc/other-fork.js';
import { CHAIN_INFO_CALL } from '../rpc/block-calls.js';
import { BitcoinChainQueries } from './bitcoin-chain-queries.js';
import { transfersOf } from './verified-block-cache.js';
import type { RawHeader } from './raw-block.js';
import type { ReadableNetwork } from './watched-chains.js';

const BLOCKS_AT_A_TIME = 500;

/** Does not request blocks that were read recently, because their hash proves their contents. */
export class BitcoinSecondEndpoint extends BitcoinChainQueries implements SecondEndpoint {
  protected readonly purpose = 'confirmation';

  isIndependent(): boolean {
    return this.pool.hasSecondEndpoint(this.network);
  }

  isOnlyEndpoint(): boolean {
    return this.pool.hasSingleEndpoint(this.network);
  }

  fingerprint(): null {
    return null;
  }

  finalNumber(): Promise<number | null> {
    return this.ask(async (endpoint, { confirmations }) => {
      const { number } = await this.rpc.call(endpoint, CHAIN_INFO_CALL);
      return finalBlockByConfirmations(number, confirmations);
    });
  }

  async contentsOfBlockRange(from: number, to: number, ours?: OwnAddressLookup): Promise<BlockRangeContents> {
    const watched = this.networks.readableNetwork(this.network);
    const endpoint = this.pool.secondEndpoint(this.network);
    try {
      const work = () => this.contentsBy(endpoint, [from, to], watched, ours);
      const contents = await this.pool.asking(endpoint, work, this.purpose);
      this.pool.recordContentsServed(endpoint);
      return contents;
    } catch (error) {
      if (!(error instanceof BlockMissingAtEndpoint)) throw error;
      const last = await findOtherFork(this.pool, endpoint, error, {
        head: (asked) => this.headOfEndpoint(asked, watched),
        block: (asked, number) => this.headerOfEndpoint(asked, watched, number),
      });
      return { last, contents: [] };
    }
  }

  private async contentsBy(
    endpoint: Endpoint,
    [from, to]: readonly [from: number, to: number],
    watched: ReadableNetwork,
    ours: OwnAddressLookup | undefined,
  ): Promise<BlockRangeContents> {
    const contents: IdentifiedBlockContents[] = [];
    let before: RawHeader | null = null;
    for (let at = from; at <= to; at += BLOCKS_AT_A_TIME) {
      const count = Math.min(to - at + 1, BLOCKS_AT_A_TIME);
      const numbers = Array.from({ length: count }, (_, i) => at + i);
      const hashes = await this.headers.hashesAt(endpoint, numbers);
      const headers: RawHeader[] = requireLinked(
        endpoint,
        at,
        await this.headers.headers(endpoint, hashes),
        before,
      );
      for (const [i, { hash }] of headers.entries()) {
        const block = await this.verifiedBlockCache.block(endpoint, hash, watched);
        if (block === null) throw new BlockMissingAtEndpoint(endpoint.network, at + i);
        const transfers = await transfersOf(block, watched, ours);
        if (transfers.length > 0) contents.push({ number: at + i, hash, transfers, payouts: [] });
      }
      before = headers.at(-1)!;
    }
    return { last: await this.headers.blockHeader(endpoint, watched.chain, to, before!.hash), contents };
  }

  protected chosenEndpoint(): Endpoint {
    return this.pool.currentSecondEndpoint(this.network);
  }
}
