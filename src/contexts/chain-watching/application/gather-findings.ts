import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  type BlockHeader,
  type ChainHead,
  type ChainReader,
  type FetchedBlock,
} from '#contexts/networks/contract/chain-reader.js';
import {
  smallestPaymentFinality,
  finalBlockByConfirmations,
} from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type { Cursor, FinalityTagBlocks } from '../domain/cursor.js';
import { PostgresWatchedChains } from '../infrastructure/persistence/postgres-watched-chains.js';
import { CrossCheckTransfers, type CrossCheckResult } from './cross-check/cross-check-transfers.js';
import { RereadFinalBlocks, type RereadResult } from './cross-check/reread-final-blocks.js';
import {
  FindInternalTransfers,
  type InternalTransfers,
} from './internal-transfers/find-internal-transfers.js';
import { ReadPendingTransfers, type PendingTransferFindings } from './pending/read-pending-transfers.js';
import { EnrichIncomingTransfers } from './reading/enrich-incoming-transfers.js';
import { ReadFinalityTags } from './reading/read-finality-tags.js';
import { MatchIncomingTransfers, type IncomingTransfers } from './reading/match-incoming-transfers.js';
import { mergeTransfers } from './transfers-by-request.js';
import { IterationLimits, limitedToOneIteration } from './iteration-limits.js';

export interface ChainFindings {
  readonly blocks: readonly FetchedBlock[];
  /** The newest block that is deep enough for its confirmation read. */
  readonly newestToReread: number | null;
  readonly tagged: FinalityTagBlocks;
  readonly incoming: IncomingTransfers;
  readonly reread: RereadResult;
  readonly internalTransfers: InternalTransfers;
  readonly crossCheck: CrossCheckResult;
  readonly pending: PendingTransferFindings;
}

/** Reads everything that one iteration stores. Holds no database transaction, because it waits for nodes. */
@Injectable()
export class GatherFindings {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: PostgresWatchedChains,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly readFinalityTags: ReadFinalityTags,
    private readonly rereadFinalBlocks: RereadFinalBlocks,
    private readonly findInternalTransfers: FindInternalTransfers,
    private readonly crossCheckTransfers: CrossCheckTransfers,
    private readonly enrichTransfers: EnrichIncomingTransfers,
    private readonly readPendingTransfers: ReadPendingTransfers,
    private readonly limits: IterationLimits,
  ) {}

  async collect(
    network: string,
    cursor: Cursor,
    node: ChainHead,
    read: readonly FetchedBlock[],
  ): Promise<ChainFindings> {
    const matched = await this.matchTransfers.match(network, read);
    const { blocks, incoming } = limitedToOneIteration(read, matched, this.limits.incoming);
    const headers = blocks.map((block) => block.header);
    const readTo = headers.at(-1) ?? cursor.head;

    const newestToReread = await this.findNewestToReread(network, node, readTo);
    const tagged = await this.readFinalityTags.read(network, cursor, newestToReread);
    const reread = await this.rereadFinalBlocks.reread(network, cursor, newestToReread);

    // Balances show internal transfers only beside all other movements, so the blocks' contents are read before.
    const internal = await this.findInternalTransfers.find(network, cursor, headers, {
      arrived: [incoming.byRequest, reread.missed],
      payouts: [...incoming.payouts, ...reread.payouts],
      refuted: reread.refuted,
      refutedPayouts: reread.refutedPayouts,
    });
    const byRequest = await this.enrichTransfers.enrich(network, internal.byRequest);
    const internalTransfers = { ...internal, byRequest };
    const crossCheck = await this.crossCheckTransfers.crossCheck(network, cursor);

    // Transfers in blocks decide which pending transfers end.
    const inBlocks = mergeTransfers(reread.missed, incoming.byRequest);
    const pending = await this.readPendingTransfers.read(network, cursor, readTo, inBlocks);

    const transfers = [...mergeTransfers(incoming.byRequest, byRequest).values()].flat();
    for (const { blockNumber } of [...transfers, ...incoming.payouts])
      this.rereadFinalBlocks.recordBlockWithFindings(network, blockNumber);
    return { blocks, newestToReread, tagged, incoming, reread, internalTransfers, crossCheck, pending };
  }

  private findNewestToReread(
    network: string,
    node: ChainHead,
    readTo: Pick<BlockHeader, 'number' | 'hash'>,
  ): Promise<number | null> {
    const finality = smallestPaymentFinality(this.catalogue.network(network)!);
    const { reader } = this.chains.of(network);
    return findFinalBlockOnReadChain(reader, this.chain, network, finality, node, readTo);
  }
}

/**
 * Counts confirmations from the newest block read, because a node's head may be on another fork or false. Until the
 * head is read, a `finalized` block must have the hash of the stored block at its height.
 */
export async function findFinalBlockOnReadChain(
  reader: ChainReader,
  chain: PostgresWatchedChains,
  network: string,
  finality: Network['finality'],
  { head, finalNumber }: ChainHead,
  readTo: Pick<BlockHeader, 'number' | 'hash'>,
): Promise<number | null> {
  // The node lags behind the blocks read, so its final block is too low at worst.
  if (finalNumber === null || head.number < readTo.number) return finalNumber;
  if (finality.kind === 'confirmations') {
    const byDepth = finalBlockByConfirmations(readTo.number, finality.confirmations);
    return byDepth === null ? null : Math.min(finalNumber, byDepth);
  }
  if (head.hash === readTo.hash) return finalNumber;
  const known = await chain.block(network, finalNumber);
  if (known === null || known.number > readTo.number) return null;
  return (await reader.blockHeader(finalNumber))?.hash === known.hash ? finalNumber : null;
}
