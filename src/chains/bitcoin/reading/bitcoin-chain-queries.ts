import {
  type BlockHeader,
  type ChainQueries,
  type ChainTransfer,
  ChainUnavailable,
  BlockStateUnavailable,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import type { CallPurpose } from '../../rpc/call-purpose.js';
import type { EndpointPool } from '../../rpc/endpoint-pool.js';
import type { JsonRpc } from '../../rpc/json-rpc.js';
import { CHAIN_INFO_CALL, heightCall } from '../rpc/block-calls.js';
import type { HeaderChain } from './header-chain.js';
import { type VerifiedBlockCache, transfersOf } from './verified-block-cache.js';
import type { ReadableNetwork, WatchedChains } from './watched-chains.js';

export abstract class BitcoinChainQueries implements ChainQueries {
  constructor(
    protected readonly network: string,
    protected readonly networks: WatchedChains,
    protected readonly pool: EndpointPool,
    protected readonly rpc: JsonRpc,
    protected readonly headers: HeaderChain,
    protected readonly verifiedBlockCache: VerifiedBlockCache,
  ) {}

  protected abstract readonly purpose: CallPurpose;
  protected abstract chosenEndpoint(): Endpoint;

  blockHeader(number: number): Promise<BlockHeader | null> {
    return this.ask((endpoint, watched) => this.headerOfEndpoint(endpoint, watched, number));
  }

  /** Returns all hashes: a Bitcoin transaction in a block has always succeeded. */
  succeededTransactions(_blockHash: string, hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(hashes));
  }

  balances(): Promise<never> {
    return Promise.reject(
      new BlockStateUnavailable(this.network, 'its nodes do not return balances of addresses.'),
    );
  }

  tokenBalances(): Promise<never> {
    return this.balances();
  }

  /** The block's bytes prove its contents, but only the endpoint's answer proves its place in the chain. */
  containsTransfers(blockHash: string, transfers: readonly ChainTransfer[]): Promise<boolean[]> {
    return this.ask(async (endpoint, watched) => {
      const height = await this.rpc.call(endpoint, heightCall(blockHash));
      const block =
        height === null ? null : await this.verifiedBlockCache.block(endpoint, blockHash, watched);
      if (block === null)
        throw new ChainUnavailable(this.network, `block ${blockHash} is not in the endpoint’s chain.`);
      const asked = new Set(transfers.map(({ transactionHash }) => transactionHash));
      const outputs = block.outputs.filter(({ transaction }) => asked.has(transaction.id));
      const there = new Set((await transfersOf({ ...block, outputs }, watched)).map(transferKeyOf));
      return transfers.map((transfer) => there.has(transferKeyOf(transfer)));
    });
  }

  protected async headOfEndpoint(endpoint: Endpoint, { chain }: ReadableNetwork): Promise<BlockHeader> {
    return this.headers.head(endpoint, chain, await this.rpc.call(endpoint, CHAIN_INFO_CALL));
  }

  protected async headerOfEndpoint(
    endpoint: Endpoint,
    { chain }: ReadableNetwork,
    number: number,
  ): Promise<BlockHeader | null> {
    const [hash] = await this.headers.hashesAt(endpoint, [number]);
    return hash == null ? null : this.headers.blockHeader(endpoint, chain, number, hash);
  }

  protected async ask<T>(work: (endpoint: Endpoint, watched: ReadableNetwork) => Promise<T>): Promise<T> {
    const watched = this.networks.readableNetwork(this.network);
    return this.pool.asking(this.chosenEndpoint(), (endpoint) => work(endpoint, watched), this.purpose);
  }
}

function transferKeyOf({ kind, transactionHash, index, token, from, to, amount }: ChainTransfer): string {
  return [kind, transactionHash, index, token, from, to, amount].join(' ');
}
