import { Injectable } from '@nestjs/common';
import type { FinalityTag } from '#shared/kernel/asset.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  orUnavailable,
  ChainUnavailable,
  type BlockHeader,
} from '#contexts/networks/contract/chain-reader.js';
import {
  finalBlockByConfirmations,
  isTagRequired,
  tagIntervalMs,
} from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { TaggedBlocks } from '../../domain/cursor.js';
import { WatchedChain } from '../../infrastructure/persistence/watched-chain.js';

const NOTHING_NEW: TaggedBlocks = { safe: null, finalized: null };

/**
 * Reads how far the chain itself considers its blocks final, on networks where small payments do not wait for it. A
 * tag counts up to the lower of two endpoints' blocks, both of which must be on the chain that was read.
 */
@Injectable()
export class ReadTaggedBlocks {
  private readonly readAt = new Map<string, number>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
    private readonly chain: WatchedChain,
  ) {}

  /** @returns null on networks without confirmations by amount, where final blocks have every tag */
  async read(network: string, readTo: number): Promise<TaggedBlocks | null> {
    const { finality, acceptedAfter, blockSeconds } = this.catalogue.network(network)!;
    if (acceptedAfter === undefined) return null;
    if (finality.kind === 'confirmations') {
      const finalized = finalBlockByConfirmations(readTo, finality.confirmations);
      return { safe: finalized, finalized };
    }
    const now = performance.now();
    if (now - (this.readAt.get(network) ?? -Infinity) < tagIntervalMs(finality, blockSeconds * 1_000))
      return NOTHING_NEW;
    this.readAt.set(network, now);
    const answer = await orUnavailable(this.readFromEndpoints(network));
    return answer instanceof ChainUnavailable ? NOTHING_NEW : answer;
  }

  private async readFromEndpoints(network: string): Promise<TaggedBlocks> {
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    const finalized = await this.findNewest(network, 'finalized');
    const safe = isTagRequired(assets, 'safe') ? await this.findNewest(network, 'safe') : null;
    return { finalized, safe: safe ?? finalized };
  }

  private async findNewest(network: string, tag: FinalityTag): Promise<number | null> {
    const { reader, secondEndpoint } = this.chains.of(network);
    const endpoints = secondEndpoint.isAlone() ? [reader] : [reader, secondEndpoint];
    const headers = await Promise.all(endpoints.map((endpoint) => endpoint.headerByTag!(tag)));
    const numbers = headers.flatMap((header) => header?.number ?? []);
    const known = await this.chain.blocks(network, numbers);
    const isRead = (header: BlockHeader | null) =>
      header !== null && known.get(header.number)?.hash === header.hash;
    return headers.every(isRead) ? Math.min(...numbers) : null;
  }
}
