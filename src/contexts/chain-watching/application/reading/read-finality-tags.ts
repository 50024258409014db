import { Injectable } from '@nestjs/common';
import type { FinalityTag } from '#shared/kernel/asset.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  catchChainUnavailable,
  ChainUnavailable,
  type ChainQueries,
} from '#contexts/networks/contract/chain-reader.js';
import {
  finalBlockByConfirmations,
  isFinalityTagRequired,
  finalityTagPollIntervalMs,
} from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { Alerts } from '../../contract/alerts.js';
import type { Cursor, FinalityTagBlocks } from '../../domain/cursor.js';
import { PostgresWatchedChains } from '../../infrastructure/persistence/postgres-watched-chains.js';

const NOTHING_NEW: FinalityTagBlocks = { safe: null, finalized: null };
/** About 25 minutes if a finalized block is requested every 15 seconds. */
const READS_WITHOUT_PROGRESS_BEFORE_ALERT = 100;

/**
 * Finds the newest blocks that are final for the chain itself, on networks where small payments do not wait for it. A tag counts up
 * to the lower of two endpoints' blocks, if both are on the chain that was read.
 */
@Injectable()
export class ReadFinalityTags {
  private readonly readAt = new Map<string, number>();
  private readonly progress = new Map<string, { readonly finalized: number; readonly reads: number }>();

  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chains: Chains,
    private readonly chain: PostgresWatchedChains,
    private readonly alerts: Alerts,
  ) {}

  /** @param newestToReread on a network without confirmations by amount, the newest block that is final */
  async read(network: string, { head }: Cursor, newestToReread: number | null): Promise<FinalityTagBlocks> {
    const { finality, acceptedAfter, blockSeconds } = this.catalogue.network(network)!;
    if (acceptedAfter === undefined) return withBothTags(newestToReread);
    if (finality.kind === 'confirmations')
      return withBothTags(finalBlockByConfirmations(head.number, finality.confirmations));
    const now = performance.now();
    const interval = finalityTagPollIntervalMs(finality, blockSeconds * 1_000);
    if (now - (this.readAt.get(network) ?? -Infinity) < interval) return NOTHING_NEW;
    this.readAt.set(network, now);
    const answer = await catchChainUnavailable(this.readFromEndpoints(network, head));
    const tagged = answer instanceof ChainUnavailable ? NOTHING_NEW : answer;
    this.alertWithoutProgress(network, tagged.finalized, answer instanceof Error ? answer.message : null);
    return tagged;
  }

  private async readFromEndpoints(network: string, head: Cursor['head']): Promise<FinalityTagBlocks> {
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    const finalized = await this.findNewest(network, 'finalized', head);
    const safe = isFinalityTagRequired(assets, 'safe') ? await this.findNewest(network, 'safe', head) : null;
    return { finalized, safe: safe === null ? finalized : Math.max(safe, finalized ?? -1) };
  }

  private async findNewest(network: string, tag: FinalityTag, head: Cursor['head']): Promise<number | null> {
    const { reader, secondEndpoint } = this.chains.of(network);
    const endpoints: ChainQueries[] = secondEndpoint.isOnlyEndpoint() ? [reader] : [reader, secondEndpoint];
    const numbers = await Promise.all(
      endpoints.map((endpoint) => this.findNewestRead(network, endpoint, tag, head)),
    );
    return numbers.reduce((lowest, number) =>
      lowest === null || number === null ? null : Math.min(lowest, number),
    );
  }

  /** @returns null if the tagged block of the endpoint is not on the chain that was read */
  private async findNewestRead(
    network: string,
    endpoint: ChainQueries,
    tag: FinalityTag,
    head: Cursor['head'],
  ): Promise<number | null> {
    const tagged = await endpoint.headerByTag!(tag);
    if (tagged === null) return null;
    const isUnread = tagged.number > head.number;
    const theirs = isUnread ? await endpoint.blockHeader(head.number) : tagged;
    const ours = isUnread ? head : await this.chain.block(network, tagged.number);
    return theirs !== null && theirs.hash === ours?.hash ? theirs.number : null;
  }

  private alertWithoutProgress(network: string, finalized: number | null, error: string | null): void {
    const before = this.progress.get(network) ?? { finalized: -1, reads: 0 };
    const hasProgress = finalized !== null && finalized > before.finalized;
    const next = hasProgress
      ? { finalized, reads: 0 }
      : { finalized: before.finalized, reads: before.reads + 1 };
    this.progress.set(network, next);
    if (next.reads < READS_WITHOUT_PROGRESS_BEFORE_ALERT) return;
    const reason =
      error ?? 'its endpoints have tagged no newer block of the chain that was read as finalized.';
    this.alerts.finalityDelayed(network, next.finalized + 1, reason);
  }
}

function withBothTags(number: number | null): FinalityTagBlocks {
  return { safe: number, finalized: number };
}
