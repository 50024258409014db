import { Injectable } from '@nestjs/common';
import {
  type BlockHeader,
  ChainAnswers,
  type ChainTransfer,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { EndpointBalances } from './endpoint-balances.js';
import { EndpointBlocks } from './endpoint-blocks.js';
import { EndpointContents } from './endpoint-contents.js';
import { EndpointPool } from '../../rpc/endpoint-pool.js';
import { EndpointProofs } from './endpoint-proofs.js';
import { IdentifiedNetworks, type WatchedAssets } from './watched-assets.js';

/** Queries the endpoint returned by `chosen`, and records its successes and failures. */
@Injectable()
export abstract class RpcChainAnswers extends ChainAnswers {
  constructor(
    protected readonly networks: IdentifiedNetworks,
    protected readonly pool: EndpointPool,
    protected readonly headers: EndpointBlocks,
    protected readonly blockContents: EndpointContents,
    private readonly proofs: EndpointProofs,
    private readonly endpointBalances: EndpointBalances,
  ) {
    super();
  }

  protected abstract chosen(network: string): Endpoint;

  block(network: string, number: number): Promise<BlockHeader | null> {
    return this.ask(network, (endpoint) => this.headers.header(endpoint, number));
  }

  succeeded(network: string, blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.ask(network, (endpoint) => this.proofs.succeeded(endpoint, blockHash, hashes));
  }

  balances(network: string, blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.ask(network, (endpoint) => this.endpointBalances.native(endpoint, blockHash, addresses));
  }

  tokenBalances(
    network: string,
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]> {
    return this.ask(network, (endpoint) =>
      this.endpointBalances.ofToken(endpoint, blockHash, token, addresses),
    );
  }

  holds(network: string, blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.ask(network, (endpoint, watched) =>
      this.proofs.holds(endpoint, blockHash, transfers, watched),
    );
  }

  protected async ask<T>(
    network: string,
    work: (endpoint: Endpoint, watched: WatchedAssets) => Promise<T>,
  ): Promise<T> {
    const watched = this.networks.watched(network);
    return this.pool.asking(this.chosen(network), (endpoint) => work(endpoint, watched));
  }
}
