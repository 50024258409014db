import {
  type BlockHeader,
  type ChainHead,
  type ChainReader,
  type OwnAddresses,
  type ReadBlock,
  StateUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointFailure } from '../../rpc/rpc-failures.js';
import { BitcoinAnswers } from './bitcoin-answers.js';
import { transfersOf } from './proven-blocks.js';
import type { ReadableNetwork } from './watched-chains.js';

const MAX_BLOCKS_PER_CALL = 10;
/** No further block is read once the blocks of one call exceed this many bytes. */
const MAX_BLOCK_BYTES_PER_CALL = 16_000_000;

/** `head` begins an iteration and selects the endpoint; later calls use the same endpoint until it fails. */
export class BitcoinChainReader extends BitcoinAnswers implements ChainReader {
  protected readonly purpose = 'reading';
  private last?: { readonly endpoint: Endpoint; readonly head: BlockHeader };

  async head(): Promise<ChainHead> {
    const watched = this.networks.watched(this.network);
    const endpoint = this.pool.reading(this.network);
    const head = await this.pool.asking(endpoint, () => this.headBy(endpoint, watched), this.purpose);
    this.pool.sawHead(endpoint, head.number);
    this.last = { endpoint, head };
    return { head, finalNumber: finalBlockByConfirmations(head.number, watched.confirmations) };
  }

  blocks(from: number, to: number, _finalNumber: number | null, ours?: OwnAddresses): Promise<ReadBlock[]> {
    return this.ask(async (endpoint, watched) => {
      const last = Math.min(to, from + MAX_BLOCKS_PER_CALL - 1);
      const numbers = Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => from + i);
      const hashes = await this.headers.hashesAt(endpoint, numbers);
      const gap = hashes.indexOf(null);
      const there = (gap === -1 ? hashes : hashes.slice(0, gap)) as string[];
      const blocks = await failIfPruned(endpoint, this.contents(endpoint, watched, from, there, ours));
      if (blocks.length > 0) this.pool.served(endpoint);
      else if (numbers.length > 0) this.missing(endpoint, from);
      return blocks;
    });
  }

  doubt(reason: string): void {
    this.pool.failed(this.chosen(), new EndpointFailure(this.network, reason, 'malformed'));
  }

  private async contents(
    endpoint: Endpoint,
    watched: ReadableNetwork,
    from: number,
    hashes: readonly string[],
    ours: OwnAddresses | undefined,
  ): Promise<ReadBlock[]> {
    const ask = (i: number) => {
      const hash = hashes[i];
      const asked = hash === undefined ? null : this.provenBlocks.block(endpoint, hash, watched);
      // Prevents an unhandled rejection: nothing awaits this promise after an earlier block failed.
      asked?.catch(() => undefined);
      return asked;
    };
    const read: ReadBlock[] = [];
    let bytes = 0;
    for (let i = 0, next = ask(0); next !== null;) {
      const block = await next;
      // The chain was reorganized between the calls.
      if (block === null) break;
      bytes += block.size;
      next = bytes < MAX_BLOCK_BYTES_PER_CALL ? ask((i += 1)) : null;
      const header = await this.headers.at(endpoint, watched.chain, from + read.length, block.header.hash);
      read.push({ header, transfers: await transfersOf(block, watched, ours), payouts: [] });
    }
    return read;
  }

  private missing(endpoint: Endpoint, number: number): void {
    const { last } = this;
    if (last?.endpoint !== endpoint || last.head.number < number) return;
    // Otherwise the service would keep using an endpoint that claims a head whose blocks it does not have.
    const reason = `it does not know block ${number} below its own head.`;
    this.pool.failed(endpoint, new EndpointFailure(endpoint.network, reason, 'malformed'));
  }

  protected chosen(): Endpoint {
    return this.pool.sameReading(this.network);
  }
}

/** Converts the error for a pruned block into an endpoint failure, so that the next attempt uses another endpoint. */
async function failIfPruned<T>({ network }: Endpoint, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof StateUnavailable) throw new EndpointFailure(network, error.message, 'refused');
    throw error;
  }
}
