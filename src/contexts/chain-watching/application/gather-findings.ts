import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import {
  type BlockHeader,
  type ChainHead,
  type ChainReader,
  type ReadBlock,
} from '#contexts/networks/contract/chain-reader.js';
import { acceptedFinality, finalBlockByConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type { Cursor, TaggedBlocks } from '../domain/cursor.js';
import { WatchedChain } from '../infrastructure/persistence/watched-chain.js';
import { CrossCheckTransfers, type CrossCheckResult } from './cross-check/cross-check-transfers.js';
import { RereadFinalBlocks, type RereadResult } from './cross-check/reread-final-blocks.js';
import {
  FindInternalTransfers,
  type InternalTransfers,
} from './internal-transfers/find-internal-transfers.js';
import { ReadPending, type PendingFindings } from './pending/read-pending.js';
import { CompleteIncomingTransfers } from './reading/complete-incoming-transfers.js';
import { ReadTaggedBlocks } from './reading/read-tagged-blocks.js';
import { MatchIncomingTransfers, type IncomingTransfers } from './reading/match-incoming-transfers.js';
import { mergeTransfers } from './transfers-by-request.js';
import { IterationLimits, limitedToOneIteration } from './iteration-limits.js';

export interface Findings {
  readonly blocks: readonly ReadBlock[];
  readonly validatedFinal: number | null;
  readonly tagged: TaggedBlocks;
  readonly incoming: IncomingTransfers;
  readonly reread: RereadResult;
  readonly internalTransfers: InternalTransfers;
  readonly crossCheck: CrossCheckResult;
  readonly pending: PendingFindings;
}

/**
 * Internal transfers come after the matched and the reread transfers, which they do not explain. Mempools come last,
 * because the transfers in blocks decide which pending transfers end.
 */
@Injectable()
export class GatherFindings {
  constructor(
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly readTagged: ReadTaggedBlocks,
    private readonly rereadFinalBlocks: RereadFinalBlocks,
    private readonly findInternalTransfers: FindInternalTransfers,
    private readonly crossCheckTransfers: CrossCheckTransfers,
    private readonly completeTransfers: CompleteIncomingTransfers,
    private readonly readPending: ReadPending,
    private readonly limits: IterationLimits,
  ) {}

  async gather(
    network: string,
    cursor: Cursor,
    node: ChainHead,
    read: readonly ReadBlock[],
  ): Promise<Findings> {
    const matched = await this.matchTransfers.match(network, read);
    const { blocks, incoming } = limitedToOneIteration(read, matched, this.limits.incoming);
    const headers = blocks.map((block) => block.header);
    const readTo = headers.at(-1) ?? cursor.head;
    const finality = acceptedFinality(this.catalogue.network(network)!);
    const validatedFinal = await findFinalBlockOnReadChain(
      this.chains.of(network).reader,
      this.chain,
      network,
      finality,
      node,
      readTo,
    );
    const tagged = await this.readTagged.read(network, cursor, validatedFinal);
    const reread = await this.rereadFinalBlocks.reread(network, cursor, validatedFinal);
    const found = await this.findInternalTransfers.find(network, cursor, headers, {
      arrived: [incoming.byRequest, reread.missed],
      payouts: [...incoming.payouts, ...reread.payouts],
      retracted: reread.refuted,
      retractedPayouts: reread.refutedPayouts,
    });
    const crossCheck = await this.crossCheckTransfers.crossCheck(network, cursor);
    const byRequest = await this.completeTransfers.complete(network, found.byRequest);
    const inBlocks = mergeTransfers(reread.missed, incoming.byRequest);
    const pending = await this.readPending.read(network, cursor, readTo, inBlocks);
    const transfers = [...mergeTransfers(incoming.byRequest, byRequest).values()].flat();
    for (const { blockNumber } of [...transfers, ...incoming.payouts])
      this.rereadFinalBlocks.foundIn(network, blockNumber);
    const internalTransfers = { ...found, byRequest };
    return { blocks, validatedFinal, tagged, incoming, reread, internalTransfers, crossCheck, pending };
  }
}

/**
 * Counts confirmations from the newest block read, because a node's head may be on another fork or false. Until the
 * head is read, a `finalized` block must have the hash of the stored block at its height.
 */
export async function findFinalBlockOnReadChain(
  reader: ChainReader,
  chain: WatchedChain,
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
  return (await reader.block(finalNumber))?.hash === known.hash ? finalNumber : null;
}
