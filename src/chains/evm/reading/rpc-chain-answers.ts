import type { FinalityTag } from '#shared/kernel/asset.js';
import type { BlockHeader, ChainAnswers, ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { EndpointBalances } from './endpoint-balances.js';
import type { EndpointBlocks } from './endpoint-blocks.js';
import type { EndpointContents } from './endpoint-contents.js';
import type { CallPurpose } from '../../rpc/call-purpose.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import type { EndpointProofs } from './endpoint-proofs.js';
import type { IdentifiedNetworks, WatchedAssets } from './watched-assets.js';

export abstract class RpcChainAnswers implements ChainAnswers {
  constructor(
    protected readonly network: string,
    protected readonly networks: IdentifiedNetworks,
    protected readonly pool: EndpointPool,
    protected readonly headers: EndpointBlocks,
    protected readonly blockContents: EndpointContents,
    private readonly proofs: EndpointProofs,
    private readonly endpointBalances: EndpointBalances,
  ) {}

  protected abstract readonly purpose: CallPurpose;
  protected abstract chosen(): Endpoint;

  block(number: number): Promise<BlockHeader | null> {
    return this.ask((endpoint) => this.headers.header(endpoint, number));
  }

  headerByTag(tag: FinalityTag): Promise<BlockHeader | null> {
    return this.ask((endpoint) => this.headers.headerByTag(endpoint, tag));
  }

  succeeded(blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.ask((endpoint) => this.proofs.succeeded(endpoint, blockHash, hashes));
  }

  balances(blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.ask((endpoint) => this.endpointBalances.native(endpoint, blockHash, addresses));
  }

  tokenBalances(blockHash: string, token: string, addresses: readonly string[]): Promise<(bigint | null)[]> {
    return this.ask((endpoint) => this.endpointBalances.ofToken(endpoint, blockHash, token, addresses));
  }

  holds(blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.ask((endpoint, watched) => this.proofs.holds(endpoint, blockHash, transfers, watched));
  }

  protected async ask<T>(work: (endpoint: Endpoint, watched: WatchedAssets) => Promise<T>): Promise<T> {
    const watched = this.networks.watched(this.network);
    return this.pool.asking(this.chosen(), (endpoint) => work(endpoint, watched), this.purpose);
  }
}
