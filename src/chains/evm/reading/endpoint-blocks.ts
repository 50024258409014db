import { Injectable } from '@nestjs/common';
import type { FinalityTag } from '#shared/kernel/asset.js';
import type { BlockHeader, OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { FullBlocks } from './full-blocks.js';
import { toHexQuantity } from '../../ethereum-rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import {
  FINALIZED_HEADER_CALL,
  type ParsedBlock,
  requirePresent,
  readHeader,
  readHeaderAt,
  readBlock,
  taggedHeaderCall,
} from '../../ethereum-rpc/block-answers.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import type { WatchedAssets } from './watched-assets.js';
import type { HeadOfEndpoint, HeadOptions } from '../../rpc/reading/endpoint-reading.js';

const HEADERS_AT_ONCE = 100;

/** Each method throws only `ChainUnavailable`. */
@Injectable()
export class EndpointBlocks {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly fullBlocks: FullBlocks,
  ) {}

  async head(
    endpoint: Endpoint,
    { finality, native }: WatchedAssets,
    { withTransfers = false, knownFinal }: HeadOptions = {},
  ): Promise<HeadOfEndpoint<ParsedBlock>> {
    const isFull = withTransfers && native !== null;
    const latest = (read: string | null): RpcCall<ParsedBlock> => ({
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: ['latest', read !== null],
      read: (answer) => requirePresent(readBlock(null, read, answer), 'newest block'),
    });
    // A block that is too large for one answer is read later, in parts.
    const full = { ...latest(native), refused: () => null, tooMuch: () => null };
    const isFinalRequested = finality.kind === 'finalized' && knownFinal === undefined;
    const calls: RpcCall<ParsedBlock | BlockHeader | null>[] = [isFull ? full : latest(null)];
    if (isFinalRequested) calls.push(FINALIZED_HEADER_CALL);
    const [whole, final] = (await this.rpc.batch(endpoint, calls, 2)) as [
      ParsedBlock | null,
      BlockHeader | null | undefined,
    ];
    const head = whole ?? (await this.rpc.call(endpoint, latest(null)));
    const isWhole = native === null || (isFull && whole !== null);
    const { number } = head.header;
    if (finality.kind === 'confirmations')
      return { head, isWhole, finalNumber: finalBlockByConfirmations(number, finality.confirmations) };
    const newestFinal = isFinalRequested ? final?.number : knownFinal;
    // The second call may have been answered by a different node behind the same address, with a higher head.
    return { head, isWhole, finalNumber: newestFinal == null ? null : Math.min(newestFinal, number) };
  }

  headerByTag(endpoint: Endpoint, tag: FinalityTag): Promise<BlockHeader | null> {
    return this.rpc.call(endpoint, taggedHeaderCall(tag));
  }

  header(endpoint: Endpoint, number: number): Promise<BlockHeader | null> {
    return this.rpc.call(endpoint, {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), false],
      read: (answer) => readHeaderAt(number, answer),
    });
  }

  blocks(
    endpoint: Endpoint,
    numbers: readonly number[],
    { native }: WatchedAssets,
    ours?: OwnAddressLookup,
  ): Promise<(ParsedBlock | null)[]> {
    if (native !== null) return this.fullBlocks.readBlocks(endpoint, numbers, native, ours);
    const calls = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), false],
      read: (answer: unknown) => readBlock(number, null, answer),
    }));
    return this.rpc.batch(endpoint, calls, HEADERS_AT_ONCE);
  }

  async requireKnownBlocks(endpoint: Endpoint, hashes: readonly string[]): Promise<void> {
    await this.rpc.batch(
      endpoint,
      hashes.map((hash) => ({
        method: 'eth_getBlockByHash',
        isLong: true,
        params: [hash, false],
        read: (answer: unknown) => requirePresent(readHeader(answer), 'such block'),
      })),
    );
  }
}
