import { Injectable } from '@nestjs/common';
import type { ChainHead, ReadBlock } from '#contexts/networks/contract/chain-reader.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { Cursor } from '../domain/watched-chain.js';
import { CrossCheckTransfers, type CrossCheck } from './cross-check/cross-check-transfers.js';
import {
  FindInternalTransfers,
  type InternalTransfers,
} from './internal-transfers/find-internal-transfers.js';
import { ReadPending, type PendingFindings } from './pending/read-pending.js';
import { CompleteIncomingTransfers } from './reading/complete-incoming-transfers.js';
import { MatchIncomingTransfers, type IncomingTransfers } from './reading/match-incoming-transfers.js';
import { RereadFinalBlocks, type Reread } from './cross-check/reread-final-blocks.js';
import { TurnLimits, limitedToOneTurn } from './turn-limits.js';
import { ValidatedFinality } from './reading/validated-finality.js';
import type { IncomingTransfer } from '../contract/incoming-transfer.js';

/** Everything that an iteration learned from nodes. Nothing of it is stored yet. */
export interface Findings {
  /** The blocks after the cursor, limited to the number that one iteration stores. */
  readonly blocks: readonly ReadBlock[];
  /** The newest final block according to the endpoint that is read from. Null while no final block is known. */
  readonly validatedFinal: number | null;
  readonly arrivals: IncomingTransfers;
  readonly reread: Reread;
  readonly internalTransfers: InternalTransfers;
  readonly crossCheck: CrossCheck;
  readonly pending: PendingFindings;
}

/** Queries nodes for everything that an iteration needs besides the blocks. Writes nothing, so it runs outside a unit of work. */
@Injectable()
export class GatherFindings {
  constructor(
    private readonly finality: ValidatedFinality,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly rereadFinalBlocks: RereadFinalBlocks,
    private readonly findInternalTransfers: FindInternalTransfers,
    private readonly crossCheckTransfers: CrossCheckTransfers,
    private readonly completeTransfers: CompleteIncomingTransfers,
    private readonly readPending: ReadPending,
    private readonly limits: TurnLimits,
  ) {}

  /** @throws ChainUnavailable */
  async gather(
    network: string,
    cursor: Cursor,
    { head, finalNumber }: ChainHead,
    read: readonly ReadBlock[],
  ): Promise<Findings> {
    const matched = await this.matchTransfers.match(network, read);
    const { blocks, arrivals } = limitedToOneTurn(read, matched, this.limits.arrivals);
    const headers = blocks.map((block) => block.header);
    const readTo = headers.at(-1) ?? cursor.head;
    const validatedFinal = await this.finality.validate(network, finalNumber, head, readTo);
    const reread = await this.rereadFinalBlocks.reread(network, cursor, validatedFinal);
    const found = await this.findInternalTransfers.find(network, cursor, headers, {
      arrived: [arrivals.byRequest, reread.missed],
      payouts: [...arrivals.payouts, ...reread.payouts],
      retracted: reread.refuted,
      retractedPayouts: reread.refutedPayouts,
    });
    const crossCheck = await this.crossCheckTransfers.crossCheck(network, cursor);
    const byRequest = await this.completeTransfers.complete(network, found.byRequest);
    const arrived = joined(reread.missed, arrivals.byRequest);
    const pending = await this.readPending.read(network, cursor, readTo, arrived);
    const internalTransfers = { ...found, byRequest };
    return { blocks, validatedFinal, arrivals, reread, internalTransfers, crossCheck, pending };
  }
}

export function joined(
  ...lists: readonly ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>[]
): Map<PaymentRequestId, IncomingTransfer[]> {
  const all = new Map<PaymentRequestId, IncomingTransfer[]>();
  for (const list of lists)
    for (const [id, arrived] of list) all.set(id, [...(all.get(id) ?? []), ...arrived]);
  return all;
}
