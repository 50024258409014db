import { Injectable } from '@nestjs/common';
import type { FinalityTag } from '#shared/kernel/asset.js';
import type { BlockHeader } from '#contexts/networks/contract/chain-reader.js';
import { finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import type { BlocksOfEndpoints, HeadOfEndpoint, HeadOptions } from '../../rpc/reading/endpoint-reading.js';
import { NEWEST_BLOCK_CALL, SOLID_NUMBER_CALL, type TronBlock, blockCall } from './tron-calls.js';
import type { WatchedTron } from './watched-tron.js';

const BLOCKS_AT_ONCE = 50;

/** Blocks with the ids of their transactions, by JSON-RPC. Solid blocks, which are final, by the solidity node. */
@Injectable()
export class TronBlocks implements BlocksOfEndpoints<WatchedTron, TronBlock> {
  constructor(private readonly rpc: JsonRpc) {}

  async head(
    endpoint: Endpoint,
    { finality }: WatchedTron,
    { knownFinal }: HeadOptions = {},
  ): Promise<HeadOfEndpoint<TronBlock>> {
    const [head, solid] = await Promise.all([
      this.rpc.call(endpoint, NEWEST_BLOCK_CALL),
      finality.kind === 'confirmations' ? null : (knownFinal ?? this.rpc.call(endpoint, SOLID_NUMBER_CALL)),
    ]);
    const { number } = head.header;
    if (finality.kind === 'confirmations')
      return { head, isWhole: true, finalNumber: finalBlockByConfirmations(number, finality.confirmations) };
    // The second call may have been answered by a different node behind the same address, with a higher head.
    return { head, isWhole: true, finalNumber: Math.min(solid!, number) };
  }

  async header(endpoint: Endpoint, number: number): Promise<BlockHeader | null> {
    return (await this.rpc.call(endpoint, blockCall(number)))?.header ?? null;
  }

  /** TRON has no safe blocks, so payments that require one wait until it is solid. */
  async headerByTag(endpoint: Endpoint, tag: FinalityTag): Promise<BlockHeader | null> {
    return tag === 'safe' ? null : this.header(endpoint, await this.rpc.call(endpoint, SOLID_NUMBER_CALL));
  }

  blocks(endpoint: Endpoint, numbers: readonly number[]): Promise<(TronBlock | null)[]> {
    return this.rpc.batch(endpoint, numbers.map(blockCall), BLOCKS_AT_ONCE);
  }
}
