import { Injectable } from '@nestjs/common';
import type { BlockContents, ChainTransfer, NativePayout } from '../../../contract/chain-reader.js';
import type { Endpoint } from '../../../domain/endpoint.js';
import { EndpointLogs } from './endpoint-logs.js';
import type { AnsweredBlock } from '../rpc/block-answers.js';
import type { AnsweredLog } from '../rpc/log-answers.js';
import type { WatchedAssets } from './watched-assets.js';

const NONE: BlockContents = { transfers: [], payouts: [] };

/** What consecutive blocks hold that concerns the catalogue, as one endpoint answers it. Throws `ChainUnavailable` only. */
@Injectable()
export class EndpointContents {
  constructor(private readonly logs: EndpointLogs) {}

  /** @param finalNumber up to it by ranges, above by hash @returns in the order of `blocks` */
  async of(
    endpoint: Endpoint,
    blocks: readonly AnsweredBlock[],
    finalNumber: number | null,
    watched: WatchedAssets,
  ): Promise<BlockContents[]> {
    const isFinal = ({ header }: AnsweredBlock) => finalNumber !== null && header.number <= finalNumber;
    const final = blocks.filter(isFinal);
    const [byRanges, byHash] = await Promise.all([
      this.logs.byRanges(endpoint, final, watched),
      this.logs.byHash(endpoint, blocks.slice(final.length), watched),
    ]);
    return blocks.map(({ header, calls }) =>
      contentsOf(calls, byRanges.get(header.hash) ?? byHash.get(header.hash) ?? []),
    );
  }
}

function contentsOf(calls: readonly ChainTransfer[], logs: readonly AnsweredLog[]): BlockContents {
  if (calls.length === 0 && logs.length === 0) return NONE;
  const transfers: ChainTransfer[] = [];
  const payouts: NativePayout[] = [];
  let next = 0;
  for (const { transactionIndex, transfer, payout } of logs) {
    // A transaction's own value moves before its code runs.
    for (; next < calls.length && calls[next]!.index <= transactionIndex; next += 1)
      transfers.push(calls[next]!);
    if (transfer !== null) transfers.push(transfer);
    if (payout !== null) payouts.push(payout);
  }
  for (; next < calls.length; next += 1) transfers.push(calls[next]!);
  return { transfers, payouts };
}
