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
  readonly incoming: number = 5_000;
  /** Transfers and payouts in blocks of the confirmation read, which compares them individually. */
  readonly reread: number = 5_000;
  /** Transfers in blocks that a reorganisation has replaced. */
  readonly rewound: number = 5_000;
  /** Open requests whose native balances are compared. */
  readonly balances: number = 4_000;
}

/** Limits the blocks to as many as one unit of work takes, with their transfers and payouts. The next iteration reads the others. */
export function limitedToOneIteration(
  blocks: readonly ReadBlock[],
  incoming: IncomingTransfers,
  most: number,
): { blocks: readonly ReadBlock[]; incoming: IncomingTransfers } {
  const found = [...[...incoming.byRequest.values()].flat(), ...incoming.payouts];
  const byBlock = Map.groupBy(found, ({ blockNumber }) => blockNumber);
  let taken = 0;
  const firstBeyond = blocks.findIndex(({ header }, at) => {
    taken += byBlock.get(header.number)?.length ?? 0;
    return at > 0 && taken > most;
  });
  if (firstBeyond < 0) return { blocks, incoming };
  const last = blocks[firstBeyond - 1]!.header.number;
  const isTaken = ({ blockNumber }: { readonly blockNumber: number }) => blockNumber <= last;
  const byRequest = [...incoming.byRequest].map(([id, list]) => [id, list.filter(isTaken)] as const);
  return {
    blocks: blocks.slice(0, firstBeyond),
    incoming: {
      byRequest: new Map(byRequest.filter(([, list]) => list.length > 0)),
      payouts: incoming.payouts.filter(isTaken),
    },
  };
}
