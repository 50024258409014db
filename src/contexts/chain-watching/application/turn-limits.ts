import { Injectable } from '@nestjs/common';
import type { ReadBlock } from '#contexts/networks/contract/chain-reader.js';
import type { IncomingTransfers } from './reading/match-incoming-transfers.js';

/**
 * Limits of one iteration: transfers, payouts and balances of deposit addresses. They exist because anyone can send any number of
 * transfers. An iteration always takes at least one block.
 */
@Injectable()
export class TurnLimits {
  /** Transfers and payouts in newly read blocks. */
  readonly arrivals: number = 5_000;
  /** Transfers and payouts in blocks of the confirmation read, which compares them individually. */
  readonly reread: number = 5_000;
  /** Transfers in blocks that a reorganisation has replaced. */
  readonly takenBack: number = 5_000;
  /** Open requests whose native balances are compared. */
  readonly balances: number = 4_000;
}

/** Limits the blocks to as many as one unit of work takes, with their transfers and payouts. The next iteration reads the others. */
export function limitedToOneTurn(
  blocks: readonly ReadBlock[],
  arrivals: IncomingTransfers,
  most: number,
): { blocks: readonly ReadBlock[]; arrivals: IncomingTransfers } {
  const inBlock = new Map<number, number>();
  for (const arrived of arrivals.byRequest.values())
    for (const { blockNumber } of arrived) inBlock.set(blockNumber, (inBlock.get(blockNumber) ?? 0) + 1);
  for (const { blockNumber } of arrivals.payouts)
    inBlock.set(blockNumber, (inBlock.get(blockNumber) ?? 0) + 1);
  let taken = 0;
  const tooMuch = blocks.findIndex(({ header }, at) => {
    taken += inBlock.get(header.number) ?? 0;
    return at > 0 && taken > most;
  });
  if (tooMuch < 0) return { blocks, arrivals };
  const last = blocks[tooMuch - 1]!.header.number;
  const isTaken = ({ blockNumber }: { readonly blockNumber: number }) => blockNumber <= last;
  const byRequest = [...arrivals.byRequest].map(([id, arrived]) => [id, arrived.filter(isTaken)] as const);
  return {
    blocks: blocks.slice(0, tooMuch),
    arrivals: {
      byRequest: new Map(byRequest.filter(([, arrived]) => arrived.length > 0)),
      payouts: arrivals.payouts.filter(isTaken),
    },
  };
}
