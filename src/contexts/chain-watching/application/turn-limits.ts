import { Injectable } from '@nestjs/common';
import type { ReadBlock } from '#contexts/networks/contract/chain-reader.js';
import type { IncomingTransfers } from './reading/match-incoming-transfers.js';

/**
 * Maximum numbers of transfers, payouts and balances per iteration, because anyone can send any number of
 * transfers. An iteration always processes at least one block, even if that block exceeds a limit.
 */
@Injectable()
export class IterationLimits {
  /** Maximum number of transfers and payouts in newly read blocks. */
  readonly incoming: number = 5_000;
  /** Maximum number of transfers and payouts in blocks of the confirmation read, which compares them individually. */
  readonly reread: number = 5_000;
  /** Maximum number of transfers in blocks that a reorganisation replaced. */
  readonly rewound: number = 5_000;
  /** Maximum number of open requests whose native balances are compared. */
  readonly balances: number = 4_000;
}

/**
 * Limits the blocks, with their transfers and payouts, to as many as one unit of work can store. The next iteration
 * reads the remaining blocks.
 */
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
