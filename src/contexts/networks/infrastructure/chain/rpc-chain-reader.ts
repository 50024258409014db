import { Injectable } from '@nestjs/common';
import {
  type BlockHeader,
  ChainReader,
  type ChainTransfer,
  type ReadBlock,
} from '../../contract/chain-reader.js';
import { EndpointBlocks } from './endpoint-blocks.js';
import { EndpointContents } from './endpoint-contents.js';
import { EndpointPool } from './endpoint-pool.js';
import { EndpointProofs } from './endpoint-proofs.js';
import type { Endpoint } from './endpoint.js';
import { IdentifiedNetworks } from './identified-networks.js';
import type { ToldBlock } from './rpc-answers.js';
import { EndpointFailure } from './rpc-failures.js';
import type { WatchedAssets } from './watched-assets.js';

interface LastHead {
  readonly endpoint: Endpoint;
  readonly block: ToldBlock;
}

/** `head` begins a turn; what follows is read from the endpoint that told it, until that one fails. */
@Injectable()
export class RpcChainReader extends ChainReader {
  private readonly heads = new Map<string, LastHead>();

  constructor(
    private readonly networks: IdentifiedNetworks,
    private readonly pool: EndpointPool,
    private readonly told: EndpointBlocks,
    private readonly contents: EndpointContents,
    private readonly proofs: EndpointProofs,
  ) {
    super();
  }

  async head(network: string): Promise<{ head: BlockHeader; finalNumber: number | null }> {
    const watched = this.networks.watched(network);
    const endpoint = this.pool.reading(network);
    const { head, finalNumber } = await this.pool.asking(endpoint, () => this.told.head(endpoint, watched));
    this.pool.sawHead(endpoint, head.header.number);
    this.heads.set(network, { endpoint, block: head });
    return { head: head.header, finalNumber };
  }

  block(network: string, number: number): Promise<BlockHeader | null> {
    return this.ask(network, (endpoint) => this.told.header(endpoint, number));
  }

  blocks(network: string, from: number, to: number, finalNumber: number | null): Promise<ReadBlock[]> {
    return this.ask(network, async (endpoint, watched) => {
      const blocks = await this.gapless(endpoint, from, to, watched);
      const contents = await this.contents.of(endpoint, blocks, finalNumber, watched);
      if (blocks.length > 0) this.pool.served(endpoint);
      return blocks.map(({ header }, i) => ({ header, ...contents[i]! }));
    });
  }

  succeeded(
    network: string,
    blockHash: string,
    transactionHashes: readonly string[],
  ): Promise<ReadonlySet<string>> {
    return this.ask(network, (endpoint) => this.proofs.succeeded(endpoint, blockHash, transactionHashes));
  }

  balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.ask(network, (endpoint) => this.proofs.balances(endpoint, blockHash, addresses));
  }

  holds(network: string, blockHash: string, transfer: ChainTransfer): Promise<boolean> {
    return this.ask(network, (endpoint, watched) =>
      this.proofs.holds(endpoint, blockHash, transfer, watched),
    );
  }

  doubt(network: string, reason: string): void {
    this.pool.failed(this.pool.sameReading(network), new EndpointFailure(network, reason, 'malformed'));
  }

  private async gapless(
    endpoint: Endpoint,
    from: number,
    to: number,
    watched: WatchedAssets,
  ): Promise<ToldBlock[]> {
    const last = this.heads.get(endpoint.network);
    // What the turn's head was told with need not be asked for again, unless its transactions are wanted.
    const known =
      watched.native === null && last?.endpoint === endpoint && last.block.header.number === to
        ? last.block
        : null;
    const count = Math.max(0, to - from + 1 - (known === null ? 0 : 1));
    const numbers = Array.from({ length: count }, (_, i) => from + i);
    const told = await this.told.told(endpoint, numbers, watched);
    if (known !== null && to >= from) told.push(known);
    const gap = told.indexOf(null);
    if (gap === 0 && last?.endpoint === endpoint && last.block.header.number >= from) {
      // One that never has what it says it has would otherwise be read from for ever.
      const reason = `it does not know block ${from} below its own head.`;
      this.pool.failed(endpoint, new EndpointFailure(endpoint.network, reason, 'malformed'));
    }
    return (gap === -1 ? told : told.slice(0, gap)) as ToldBlock[];
  }

  private async ask<T>(
    network: string,
    work: (endpoint: Endpoint, watched: WatchedAssets) => Promise<T>,
  ): Promise<T> {
    const watched = this.networks.watched(network);
    return this.pool.asking(this.pool.sameReading(network), (endpoint) => work(endpoint, watched));
  }
}
