import {
  type BlockHeader,
  type ChainHead,
  type ChainReader,
  type OwnAddressLookup,
  type FetchedBlock,
  BlockStateUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointFailure } from '../../rpc/rpc-failures.js';
import { BitcoinChainQueries } from './bitcoin-chain-queries.js';
import { transfersOf } from './verified-block-cache.js';
import type { ReadableNetwork } from './watched-chains.js';

const MAX_BLOCKS_PER_CALL = 10;
/** No further block is read once the blocks of one call exceed this many bytes. */
const MAX_BLOCK_BYTES_PER_CALL = 16_000_000;

/** `head` begins an iteration and selects the endpoint; later calls use the same endpoint until it fails. */
export class BitcoinChainReader extends BitcoinChainQueries implements ChainReader {
  protected readonly purpose = 'reading';
  private last?: { readonly endpoint: Endpoint; readonly head: BlockHeader };

  async head(): Promise<ChainHead> {
    const watched = this.networks.readableNetwork(this.network);
    const endpoint = this.pool.chooseReadingEndpoint(this.network);
    const head = await this.pool.asking(endpoint, () => this.headOfEndpoint(endpoint, watched), this.purpose);
    this.pool.recordHead(endpoint, head.number);
    this.last = { endpoint, head };
    return { head, finalNumber: finalBlockByConfirmations(head.number, watched.confirmations) };
  }

  blocks(
    from: number,
    to: number,
    _finalNumber: number | null,
    ours?: OwnAddressLookup,
  ): Promise<FetchedBlock[]> {
    return this.ask(async (endpoint, watched) => {
      const last = Math.min(to, from + MAX_BLOCKS_PER_CALL - 1);
      const numbers = Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => from + i);
      const hashes = await this.headers.hashesAt(endpoint, numbers);
      const gap = hashes.indexOf(null);
      const there = (gap === -1 ? hashes : hashes.slice(0, gap)) as string[];
      const blocks = await failIfPruned(endpoint, this.contents(endpoint, watched, from, there, ours));
      if (blocks.length > 0) this.pool.recordContentsServed(endpoint);
      else if (numbers.length > 0) this.missing(endpoint, from);
      return blocks;
    });
  }

  reportDoubtfulAnswer(reason: string): void {
    this.pool.recordFailure(this.chosenEndpoint(), new EndpointFailure(this.network, reason, 'malformed'));
  }

  private async contents(
    endpoint: Endpoint,
    watched: ReadableNetwork,
    from: number,
    hashes: readonly string[],
    ours: OwnAddressLookup | undefined,
  ): Promise<FetchedBlock[]> {
    const ask = (i: number) => {
      const hash = hashes[i];
      const asked = hash === undefined ? null : this.verifiedBlockCache.block(endpoint, hash, watched);
      // Prevents an unhandled rejection: nothing awaits this promise after an earlier block failed.
      asked?.catch(() => undefined);
      return asked;
    };
    const read: FetchedBlock[] = [];
    let bytes = 0;
    for (let i = 0, next = ask(0); next !== null;) {
      const block = await next;
      // The chain was reorganized between the calls.
      if (block === null) break;
      bytes += block.size;
      next = bytes < MAX_BLOCK_BYTES_PER_CALL ? ask((i += 1)) : null;
      const header = await this.headers.blockHeader(
        endpoint,
        watched.chain,
        from + read.length,
        block.header.hash,
      );
      read.push({ header, transfers: await transfersOf(block, watched, ours), payouts: [] });
    }
    return read;
  }

  private missing(endpoint: Endpoint, number: number): void {
    const { last } = this;
    if (last?.endpoint !== endpoint || last.head.number < number) return;
    // Otherwise the service would keep using an endpoint that claims a head whose blocks it does not have.
    const reason = `it does not know block ${number} below its own head.`;
    this.pool.recordFailure(endpoint, new EndpointFailure(endpoint.network, reason, 'malformed'));
  }

  protected chosenEndpoint(): Endpoint {
    return this.pool.currentReadingEndpoint(this.network);
  }
}

/** Converts the error for a pruned block into an endpoint failure, so that the next attempt uses another endpoint. */
async function failIfPruned<T>({ network }: Endpoint, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof BlockStateUnavailable) throw new EndpointFailure(network, error.message, 'refused');
    throw error;
  }
}
