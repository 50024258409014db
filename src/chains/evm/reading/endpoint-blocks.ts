import { Injectable } from '@nestjs/common';
import type { BlockHeader, OwnAddresses } from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { FullBlocks } from './full-blocks.js';
import { toHexQuantity } from '../rpc/hex-fields.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import {
  FINALIZED_HEADER_CALL,
  type AnsweredBlock,
  requirePresent,
  readHeader,
  readHeaderAt,
  readBlock,
} from '../rpc/block-answers.js';
import type { RpcCall } from '../../rpc/rpc-envelope.js';
import type { WatchedAssets } from './watched-assets.js';

const HEADERS_AT_ONCE = 100;

export interface AnsweredHead {
  readonly head: AnsweredBlock;
  readonly finalNumber: number | null;
}

/** Each method throws only `ChainUnavailable`. */
@Injectable()
export class EndpointBlocks {
  constructor(
    private readonly rpc: JsonRpc,
    private readonly fullBlocks: FullBlocks,
  ) {}

  async head(endpoint: Endpoint, { finality }: WatchedAssets): Promise<AnsweredHead> {
    const latest: RpcCall<AnsweredBlock> = {
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: ['latest', false],
      read: (answer) => requirePresent(readBlock(null, null, answer), 'newest block'),
    };
    if (finality.kind === 'confirmations') {
      const head = await this.rpc.call(endpoint, latest);
      return { head, finalNumber: finalBlockByConfirmations(head.header.number, finality.confirmations) };
    }
    const calls: RpcCall<AnsweredBlock | BlockHeader | null>[] = [latest, FINALIZED_HEADER_CALL];
    const [head, final] = (await this.rpc.batch(endpoint, calls, 2)) as [AnsweredBlock, BlockHeader | null];
    // The second call may have been answered by a different node behind the same address, with a higher head.
    const finalNumber = final === null ? null : Math.min(final.number, head.header.number);
    return { head, finalNumber };
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
    ours?: OwnAddresses,
  ): Promise<(AnsweredBlock | null)[]> {
    if (native !== null) return this.fullBlocks.at(endpoint, numbers, native, ours);
    const calls = numbers.map((number) => ({
      method: 'eth_getBlockByNumber',
      isLong: true,
      params: [toHexQuantity(number), false],
      read: (answer: unknown) => readBlock(number, null, answer),
    }));
    return this.rpc.batch(endpoint, calls, HEADERS_AT_ONCE);
  }

  async know(endpoint: Endpoint, hashes: readonly string[]): Promise<void> {
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
