import { Injectable } from '@nestjs/common';
import type { ReadBlock } from '#contexts/networks/contract/chain-reader.js';
import type { IncomingTransfers } from './reading/match-incoming-transfers.js';

/** Transfers, payouts and balances of ours that one turn takes. Anyone can send any number; a single block is the least. */
@Injectable()
export class TurnLimits {
  /** In blocks that are read onward. */
  readonly arrivals: number = 5_000;
  /** In blocks that are read again: they are compared one by one. */
  readonly reread: number = 5_000;
  /** In blocks that a reorganisation has replaced. */
  readonly takenBack: number = 5_000;
  /** Open requests whose native balances are compared. */
  readonly balances: number = 4_000;
}

/** The first of these blocks, as many as one unit of work takes, with what arrived in them. The next turn reads the others. */
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
