import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { OwnAddresses } from '#contexts/networks/contract/chain-reader.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { JsonRpc } from '../../rpc/json-rpc.js';
import { blockOf } from '../rpc/block-calls.js';
import { HeaderChain, timeOf } from './header-chain.js';
import {
  type AddressedOutput,
  type OutputNotation,
  type OutputTransfer,
  addressedOutputs,
  transferOf,
} from './output-transfers.js';
import type { RawHeader } from './raw-block.js';

/** Memory for the blocks of one reading, about: the second endpoint is asked about them next. */
const MAX_KEPT_BYTES = 64_000_000;
/** An input or an output takes so much more than its bytes in the block, which may be 31. */
const BYTES_OF_A_PART = 128;

/** A block's outputs, by the proof of its hash all of them. */
export interface ProvenBlock {
  readonly header: RawHeader;
  readonly size: number;
  /** How many inputs and outputs it has. */
  readonly parts: number;
  readonly outputs: readonly AddressedOutput[];
}

/** Blocks by their hash, which proves them whichever endpoint they came from. */
@Injectable()
export class ProvenBlocks {
  private readonly kept = new LRUCache<string, ProvenBlock>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ size, parts }) => size + parts * BYTES_OF_A_PART,
  });

  constructor(
    private readonly rpc: JsonRpc,
    private readonly headers: HeaderChain,
  ) {}

  /** Null where the endpoint does not know it. @throws ChainUnavailable, StateUnavailable for a block that it has pruned */
  async block(endpoint: Endpoint, hash: string, notation: OutputNotation): Promise<ProvenBlock | null> {
    const kept = this.kept.get(hash);
    if (kept !== undefined) return kept;
    const raw = await this.rpc.call(endpoint, blockOf(endpoint.network, hash));
    if (raw === null) return null;
    const { header, size, transactions } = raw;
    const parts = transactions.reduce((sum, { spends, outputs }) => sum + spends.length + outputs.length, 0);
    const block = { header, size, parts, outputs: addressedOutputs(transactions, notation) };
    this.headers.remember(header);
    this.kept.set(hash, block);
    return block;
  }
}

/** The transfers of a block in chain order. @param ours asked once; without it all of them are held */
export async function transfersOf(
  { header, outputs }: ProvenBlock,
  notation: OutputNotation,
  ours?: OwnAddresses,
): Promise<OutputTransfer[]> {
  const stampedAt = timeOf(header.stamp);
  const own = await ours?.([...new Set(outputs.map(({ to }) => to))].map((address) => ({ address })));
  if (own?.size === 0) return [];
  return outputs
    .filter(({ to }) => own?.has(recipientKey({ address: to })) ?? true)
    .map((output) => transferOf(output, notation, stampedAt));
}
