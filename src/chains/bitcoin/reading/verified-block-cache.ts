import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { OwnAddressLookup } from '#contexts/networks/contract/chain-reader.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { blockCall } from '../rpc/block-calls.js';
import { HeaderChain, dateOfUnixSeconds } from './header-chain.js';
import {
  type AddressedOutput,
  type CoinAndAddressFormat,
  type OutputTransfer,
  addressedOutputs,
  transferOfOutput,
} from './output-transfers.js';
import type { RawHeader } from './raw-block.js';

/** Holds the blocks that were just read, because the second endpoint is queried about them next. */
const MAX_CACHED_BYTES = 64_000_000;
/** Memory overhead of a parsed input or output. In the block itself, an input or output may have only 31 bytes. */
const OVERHEAD_BYTES_PER_PART = 128;

export interface VerifiedBlock {
  readonly header: RawHeader;
  readonly size: number;
  readonly parts: number;
  readonly outputs: readonly AddressedOutput[];
}

/** Caches blocks by their hash, which proves them whichever endpoint returned them. */
@Injectable()
export class VerifiedBlockCache {
  private readonly kept = new LRUCache<string, VerifiedBlock>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ size, parts }) => size + parts * OVERHEAD_BYTES_PER_PART,
  });

  constructor(
    private readonly rpc: JsonRpc,
    private readonly headers: HeaderChain,
  ) {}

  async block(
    endpoint: Endpoint,
    hash: string,
    notation: CoinAndAddressFormat,
  ): Promise<VerifiedBlock | null> {
    const kept = this.kept.get(hash);
    if (kept !== undefined) return kept;
    const raw = await this.rpc.call(endpoint, blockCall(endpoint.network, hash));
    if (raw === null) return null;
    const { header, size, transactions } = raw;
    const parts = transactions.reduce((sum, { spends, outputs }) => sum + spends.length + outputs.length, 0);
    const block = { header, size, parts, outputs: addressedOutputs(transactions, notation) };
    this.headers.remember(header);
    this.kept.set(hash, block);
    return block;
  }
}

export async function transfersOf(
  { header, outputs }: VerifiedBlock,
  notation: CoinAndAddressFormat,
  ours?: OwnAddressLookup,
): Promise<OutputTransfer[]> {
  const stampedAt = dateOfUnixSeconds(header.stamp);
  const own = await ours?.([...new Set(outputs.map(({ to }) => to))].map((address) => ({ address })));
  if (own?.size === 0) return [];
  return outputs
    .filter(({ to }) => own?.has(recipientKey({ address: to })) ?? true)
    .map((output) => transferOfOutput(output, notation, stampedAt));
}
