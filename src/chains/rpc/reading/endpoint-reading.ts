import type { FinalityTag } from '#shared/kernel/asset.js';
import type {
  BlockContents,
  BlockHeader,
  ChainTransfer,
  OwnAddressLookup,
} from '#contexts/networks/contract/chain-reader.js';
import type { Finality } from '#contexts/networks/contract/finality-depth.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';

/** A block as a chain type reads it, before its contents are complete. */
export interface BlockOfEndpoint {
  readonly header: BlockHeader;
}

export interface HeadOfEndpoint<Block> {
  readonly head: Block;
  /** True if `head` need not be read again for its contents. */
  readonly isWhole: boolean;
  readonly finalNumber: number | null;
}

export interface HeadOptions {
  /** Requests the block with its transactions, if native transfers are read. */
  readonly withTransfers?: boolean;
  /** The endpoint's previous answer, used instead of another call. Absent: requests the final block, if there is such a call. */
  readonly knownFinal?: number | null | undefined;
}

/** Selects the assets and events of a network. */
export interface Watched {
  /** Decides up to which block contents get their confirmation read. */
  readonly finality: Finality;
}

export interface WatchedNetworks<W extends Watched> {
  /** @throws ChainUnavailable until the identity of the chain is proven */
  watchedAssets(network: string): W;
}

/** Each method throws only `ChainUnavailable`. */
export interface BlocksOfEndpoints<W extends Watched, Block extends BlockOfEndpoint> {
  head(endpoint: Endpoint, watched: W, options?: HeadOptions): Promise<HeadOfEndpoint<Block>>;
  header(endpoint: Endpoint, number: number): Promise<BlockHeader | null>;
  headerByTag(endpoint: Endpoint, tag: FinalityTag): Promise<BlockHeader | null>;
  blocks(
    endpoint: Endpoint,
    numbers: readonly number[],
    watched: W,
    ours?: OwnAddressLookup,
  ): Promise<(Block | null)[]>;
}

export interface ContentsOfEndpoints<W extends Watched, Block extends BlockOfEndpoint> {
  contents(
    endpoint: Endpoint,
    blocks: readonly Block[],
    finalNumber: number | null,
    watched: W,
    ours?: OwnAddressLookup,
  ): Promise<BlockContents[]>;
}

export interface ReceiptProofs<W extends Watched> {
  succeededTransactions(
    endpoint: Endpoint,
    blockHash: string,
    hashes: readonly string[],
  ): Promise<ReadonlySet<string>>;
  containsTransfers(
    endpoint: Endpoint,
    blockHash: string,
    transfers: readonly ChainTransfer[],
    watched: W,
  ): Promise<boolean[]>;
}

export interface BalancesOfEndpoints {
  nativeBalances(endpoint: Endpoint, blockHash: string, addresses: readonly string[]): Promise<bigint[]>;
  tokenBalances(
    endpoint: Endpoint,
    blockHash: string,
    token: string,
    addresses: readonly string[],
  ): Promise<(bigint | null)[]>;
}
