import { Injectable } from '@nestjs/common';
import type { FetchedBlock } from '#contexts/networks/contract/chain-reader.js';
import type { IncomingTransfers } from './reading/match-incoming-transfers.js';

/** Anyone can send any number of transfers. An iteration always processes at least one block, even above a limit. */
@Injectable()
export class IterationLimits {
  readonly incoming: number = 5_000;
  readonly reread: number = 5_000;
  readonly rewound: number = 5_000;
  readonly balances: number = 4_000;
  /** While no transfer waits for finality, a final block may wait this long for its confirmation read. */
  readonly iterationsBetweenRereads: number = 30;
}

export function limitedToOneIteration(
  blocks: readonly FetchedBlock[],
  incoming: IncomingTransfers,
  most: number,
): { blocks: readonly FetchedBlock[]; incoming: IncomingTransfers } {
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
