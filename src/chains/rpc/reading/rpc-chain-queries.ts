import type { FinalityTag } from '#shared/kernel/asset.js';
import type { BlockHeader, ChainQueries, ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { CallPurpose } from '../call-purpose.js';
import type { EndpointPool } from '../endpoint-pool.js';
import type {
  BalancesOfEndpoints,
  BlockOfEndpoint,
  BlocksOfEndpoints,
  ContentsOfEndpoints,
  ReceiptProofs,
  Watched,
  WatchedNetworks,
} from './endpoint-reading.js';

export abstract class RpcChainQueries<
  W extends Watched,
  Block extends BlockOfEndpoint,
> implements ChainQueries {
  constructor(
    protected readonly network: string,
    protected readonly networks: WatchedNetworks<W>,
    protected readonly pool: EndpointPool,
    protected readonly headers: BlocksOfEndpoints<W, Block>,
    protected readonly blockContents: ContentsOfEndpoints<W, Block>,
    private readonly proofs: ReceiptProofs<W>,
    private readonly endpointBalances: BalancesOfEndpoints,
  ) {}

  protected abstract readonly purpose: CallPurpose;
  protected abstract chosenEndpoint(): Endpoint;

  blockHeader(number: number): Promise<BlockHeader | null> {
    return this.ask((endpoint) => this.headers.header(endpoint, number));
  }

  headerByTag(tag: FinalityTag): Promise<BlockHeader | null> {
    return this.ask((endpoint) => this.headers.headerByTag(endpoint, tag));
  }

  succeededTransactions(blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.ask((endpoint) => this.proofs.succeededTransactions(endpoint, blockHash, hashes));
  }

  balances(blockHash: string, addresses: readonly string[]): Promise<bigint[]> {
    return this.ask((endpoint) => this.endpointBalances.nativeBalances(endpoint, blockHash, addresses));
  }

  tokenBalances(blockHash: string, token: string, addresses: readonly string[]): Promise<(bigint | null)[]> {
    return this.ask((endpoint) => this.endpointBalances.tokenBalances(endpoint, blockHash, token, addresses));
  }

  containsTransfers(blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.ask((endpoint, watched) =>
      this.proofs.containsTransfers(endpoint, blockHash, transfers, watched),
    );
  }

  protected async ask<T>(work: (endpoint: Endpoint, watched: W) => Promise<T>): Promise<T> {
    const watched = this.networks.watchedAssets(this.network);
    return this.pool.asking(this.chosenEndpoint(), (endpoint) => work(endpoint, watched), this.purpose);
  }
}
