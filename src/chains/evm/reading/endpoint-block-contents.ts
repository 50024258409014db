import { Injectable } from '@nestjs/common';
import type {
  BlockContents,
  ChainTransfer,
  ChainPayout,
  OwnAddressLookup,
} from '#contexts/networks/contract/chain-reader.js';
import type { Endpoint } from '#contexts/networks/domain/endpoint.js';
import { NetworksSettings } from '#contexts/networks/infrastructure/networks-settings.js';
import { EndpointLogs } from './logs/endpoint-logs.js';
import { LogBuffer } from './logs/log-buffer.js';
import { MAX_BUFFERED_TRANSFERS } from '../../rpc/reading/own-movements.js';
import type { ParsedBlock } from '../../ethereum-rpc/block-answers.js';
import type { ParsedLog } from '../../ethereum-rpc/log-answers.js';
import type { WatchedAssets } from './watched-assets.js';

const NO_CONTENTS: BlockContents = { transfers: [], payouts: [] };

/** Throws only `ChainUnavailable`. */
@Injectable()
export class EndpointBlockContents {
  private readonly mostHeld: number;

  constructor(
    private readonly logs: EndpointLogs,
    { patience }: NetworksSettings,
  ) {
    this.mostHeld = patience.heldMovements ?? MAX_BUFFERED_TRANSFERS;
  }

  async contents(
    endpoint: Endpoint,
    blocks: readonly ParsedBlock[],
    finalNumber: number | null,
    watched: WatchedAssets,
    ours?: OwnAddressLookup,
  ): Promise<BlockContents[]> {
    const isFinal = ({ header }: ParsedBlock) => finalNumber !== null && header.number <= finalNumber;
    const final = blocks.filter(isFinal);
    const held = new LogBuffer(ours, this.mostHeld);
    await Promise.all([
      this.logs.byRanges(endpoint, final, watched, held),
      this.logs.byHash(endpoint, blocks.slice(final.length), watched, held),
    ]);
    const logs = await held.byBlock(endpoint);
    return blocks.map(({ header, calls }) => contentsOf(calls, logs.get(header.hash) ?? []));
  }
}

function contentsOf(calls: readonly ChainTransfer[], logs: readonly ParsedLog[]): BlockContents {
  if (calls.length === 0 && logs.length === 0) return NO_CONTENTS;
  const transfers: ChainTransfer[] = [];
  const payouts: ChainPayout[] = [];
  let next = 0;
  for (const { transactionIndex, transfer, payout } of logs) {
    // A transaction's native value moves before its code runs, so the native transfer precedes the transaction's logs.
    for (; next < calls.length && calls[next]!.index <= transactionIndex; next += 1)
      transfers.push(calls[next]!);
    if (transfer !== null) transfers.push(transfer);
    if (payout !== null) payouts.push(payout);
  }
  for (; next < calls.length; next += 1) transfers.push(calls[next]!);
  return { transfers, payouts };
}
