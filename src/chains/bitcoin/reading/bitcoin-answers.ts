import { Injectable } from '@nestjs/common';
import {
  type BlockHeader,
  ChainAnswers,
  type ChainTransfer,
  ChainUnavailable,
  StateUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { CHAIN_INFO, heightOf } from '../rpc/block-calls.js';
import { HeaderChain } from './header-chain.js';
import { ProvenBlocks, transfersOf } from './proven-blocks.js';
import { type ReadableNetwork, WatchedChains } from './watched-chains.js';

@Injectable()
export abstract class BitcoinAnswers extends ChainAnswers {
  constructor(
    protected readonly networks: WatchedChains,
    protected readonly pool: EndpointPool,
    protected readonly rpc: JsonRpc,
    protected readonly headers: HeaderChain,
    protected readonly provenBlocks: ProvenBlocks,
  ) {
    super();
  }

  /** @throws ChainUnavailable */
  protected abstract chosen(network: string): Endpoint;

  block(network: string, number: number): Promise<BlockHeader | null> {
    return this.ask(network, (endpoint, watched) => this.blockBy(endpoint, watched, number));
  }

  /** A failed transaction is never in a block. */
  succeeded(_network: string, _blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(hashes));
  }

  balances(network: string): Promise<bigint[]> {
    return Promise.reject(new StateUnavailable(network, 'its nodes do not return balances of addresses.'));
  }

  tokenBalances(network: string): Promise<(bigint | null)[]> {
    return Promise.reject(new StateUnavailable(network, 'its nodes do not return balances of addresses.'));
  }

  /** The block's bytes prove its contents. Only the endpoint itself vouches that the block is in the chain. */
  holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.ask(network, async (endpoint, watched) => {
      const height = await this.rpc.call(endpoint, heightOf(blockHash));
      const block = height === null ? null : await this.provenBlocks.block(endpoint, blockHash, watched);
      if (block === null)
        throw new ChainUnavailable(network, `block ${blockHash} is not in the endpoint’s chain.`);
      const asked = new Set(transfers.map(({ transactionHash }) => transactionHash));
      const outputs = block.outputs.filter(({ transaction }) => asked.has(transaction.id));
      const there = new Set((await transfersOf({ ...block, outputs }, watched)).map(keyOf));
      return transfers.map((transfer) => there.has(keyOf(transfer)));
    });
  }

  protected async headBy(endpoint: Endpoint, { chain }: ReadableNetwork): Promise<BlockHeader> {
    return this.headers.head(endpoint, chain, await this.rpc.call(endpoint, CHAIN_INFO));
  }

  protected async blockBy(
    endpoint: Endpoint,
    { chain }: ReadableNetwork,
    number: number,
  ): Promise<BlockHeader | null> {
    const [hash] = await this.headers.hashesAt(endpoint, [number]);
    return hash == null ? null : this.headers.at(endpoint, chain, number, hash);
  }

  protected async ask<T>(
    network: string,
    work: (endpoint: Endpoint, watched: ReadableNetwork) => Promise<T>,
  ): Promise<T> {
    const watched = this.networks.watched(network);
    return this.pool.asking(this.chosen(network), (endpoint) => work(endpoint, watched));
  }
}

function keyOf({ kind, transactionHash, index, token, from, to, amount }: ChainTransfer): string {
  return [kind, transactionHash, index, token, from, to, amount].join(' ');
}
