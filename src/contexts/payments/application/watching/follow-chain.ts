import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../shared/kernel/clock.js';
import type { PaymentRequestId } from '../../../../shared/kernel/ids.js';
import { UnitOfWork } from '../../../../shared/kernel/unit-of-work.js';
import {
  ChainReader,
  ChainUnavailable,
  type BlockHeader,
  type ReadBlock,
} from '../../../networks/contract/chain-reader.js';
import { NetworkCatalogue } from '../../../networks/contract/network-catalogue.js';
import { NativeBalances } from '../../domain/watching/native-balances.js';
import type { ChainProgress } from '../../domain/requests/outcome-rule.js';
import {
  RecordedTransfers,
  type Finalized,
  type OwnedTransfer,
} from '../../domain/watching/recorded-transfers.js';
import { RequestsToJudge } from '../../domain/watching/requests-to-judge.js';
import type { Arrival, RecordedTransfer } from '../../domain/requests/transfer.js';
import { WatchedChain, type Cursor } from '../../domain/watching/watched-chain.js';
import { Alerts } from './alerts.js';
import { MatchArrivals } from './match-arrivals.js';
import { ValidatedFinality } from './validated-finality.js';
import { FindInternalTransfers, type InternalTransfers } from './find-internal-transfers.js';
import { JudgeRequests, type Reversal } from './judge-requests.js';
import { ReadOnward } from './read-onward.js';
import { RereadFinalBlocks, type Reread } from './reread-final-blocks.js';
import { RewindChain } from './rewind-chain.js';
import { CrossCheckTransfers, type CrossCheck } from './cross-check-transfers.js';
import { knownBefore } from './pending-movements.js';

/** In one unit of work: bounds its length while catching up. */
const ENDED_PER_TURN = 500;
const FINALIZED_PER_TURN = 500;
const UNBOOKED_PER_TURN = 100;
const BEGIN_BELOW_FINALITY = 256;

/** All that a turn found out from nodes, before anything of it is stored. */
interface Found {
  readonly blocks: readonly ReadBlock[];
  readonly read: Awaited<ReturnType<MatchArrivals['of']>>;
  readonly inner: InternalTransfers;
  readonly reread: Reread;
  readonly second: CrossCheck;
}

interface Stored {
  /** More is to be ended or made final at once. */
  readonly more: boolean;
  readonly reversals: readonly Reversal[];
}

/**
 * Reads a network onward from where it was left and lets requests follow. What a turn reads is stored together with
 * the moved cursor, so a turn happens wholly or not at all, and any process may take the next one.
 * Costs by the blocks and their transfers, not by the requests that were ever made.
 */
@Injectable()
export class FollowChain {
  constructor(
    private readonly reader: ChainReader,
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly toJudge: RequestsToJudge,
    private readonly balances: NativeBalances,
    private readonly finality: ValidatedFinality,
    private readonly reading: ReadOnward,
    private readonly arrivals: MatchArrivals,
    private readonly internalTransfers: FindInternalTransfers,
    private readonly rereading: RereadFinalBlocks,
    private readonly agreement: CrossCheckTransfers,
    private readonly judge: JudgeRequests,
    private readonly rewinding: RewindChain,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly alerts: Alerts,
  ) {}

  /**
   * One turn.
   * @param epoch of the network's lease, which fences the writes
   * @returns true when there is more to read or to end at once
   * @throws ChainUnavailable, CursorMoved, LeaseLost: nothing was changed
   */
  async execute(network: string, epoch: bigint): Promise<boolean> {
    const { head, finalNumber } = await this.reader.head(network);
    const cursor = await this.chain.cursor(network);
    if (cursor === null) {
      await this.begin(network, head, finalNumber, epoch);
      return true;
    }
    const blocks = await this.reading.execute(network, cursor, head, finalNumber);
    if (blocks !== null) return this.advance(network, cursor, blocks, finalNumber, epoch, head);
    return this.rewinding.execute(network, cursor, head, epoch);
  }

  /** Begins below finality, so that a reorganisation right after the beginning still finds a block in common. */
  private async begin(
    network: string,
    head: BlockHeader,
    finalNumber: number | null,
    epoch: bigint,
  ): Promise<void> {
    const { finality } = this.catalogue.network(network)!;
    if (finality.kind !== 'confirmations' && finalNumber === null && head.number > BEGIN_BELOW_FINALITY)
      throw new ChainUnavailable(
        network,
        `it knows no finalized block below its head ${head.number}, so nobody can tell where reading should begin`,
      );
    const first = await this.reader.block(network, Math.max(0, (finalNumber ?? 0) - BEGIN_BELOW_FINALITY));
    if (first === null) throw new ChainUnavailable(network, 'it does not know a block below its own head');
    await this.reading.mayBegin(network, first);
    await this.unitOfWork.run(() => this.chain.begin(network, first, epoch));
  }

  private async advance(
    network: string,
    cursor: Cursor,
    blocks: readonly ReadBlock[],
    finalNumber: number | null,
    epoch: bigint,
    head: BlockHeader,
  ): Promise<boolean> {
    const headers = blocks.map((block) => block.header);
    const readTo = headers.at(-1) ?? cursor.head;
    const believed = await this.finality.validate(network, finalNumber, head, readTo);
    const read = await this.arrivals.of(network, blocks);
    const reread = await this.rereading.upTo(network, cursor, believed);
    const inner = await this.internalTransfers.in(network, cursor, headers, {
      arrived: [read.byRequest, reread.missed],
      payouts: [...read.payouts, ...reread.payouts],
      retracted: reread.phantoms,
      retractedPayouts: reread.phantomPayouts,
    });
    const second = await this.agreement.of(network, cursor);
    const { more, reversals } = await this.store(network, cursor, epoch, {
      blocks,
      read,
      inner,
      reread,
      second,
    });
    this.tell(network, reread, reversals);
    // What was read just now is read again by the next turn, if it is final already. An endpoint that does not answer
    // is left in peace until the next turn is due.
    const rereadTo = reread.finalNumber ?? -1;
    const gotOn = headers.length > 0 || rereadTo > (cursor.finalNumber ?? -1);
    const rereadMore =
      reread.disagreement === null &&
      reread.waits !== true &&
      gotOn &&
      rereadTo < Math.min(believed ?? -1, readTo.number);
    // What was concluded from balances is looked at once more by the next turn.
    const lookAgain = inner.byRequest.size > 0;
    return more || lookAgain || rereadMore || (readTo.number < head.number && headers.length > 0);
  }

  private store(network: string, cursor: Cursor, epoch: bigint, found: Found): Promise<Stored> {
    const { blocks, read, inner, reread, second } = found;
    return this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const { finalNumber, disagreement } = reread;
      const { maxLagSeconds } = this.catalogue.network(network)!;
      const step = {
        ...{
          from: cursor,
          blocks: blocks.map((block) => block.header),
          finalNumber,
          disagreement,
          maxLagSeconds,
        },
        balancesKnownAt: knownBefore(inner.knownAt, second.hiddenSince),
      };
      const progress = await this.chain.advance(network, step, epoch);
      // First what proved wrong: the right one may stand in its place.
      await this.transfers.dropPayouts(network, reread.phantomPayouts);
      await this.transfers.addPayouts(network, [...read.payouts, ...reread.payouts]);
      if (inner.sweptTo !== undefined) await this.balances.sweptTo(network, inner.sweptTo);
      const lost = await this.dropped([...reread.phantoms, ...second.refuted]);
      const ended = await this.toJudge.pastDeadline(
        network,
        this.otherNetworks(network),
        progress,
        ENDED_PER_TURN,
      );
      const final = await this.finalized(network, progress);
      const unbooked = await this.toJudge.withUnbookedMoney(network, UNBOOKED_PER_TURN);
      const arrived = together(reread.missed, read.byRequest, inner.byRequest);
      const due = [...ended, ...final.requests, ...unbooked];
      const reversals = await this.judge.execute(
        { read: new Map([[network, progress]]), due, lost, arrived, agreed: second.agreed },
        now,
      );
      const more = ended.length === ENDED_PER_TURN || final.more;
      return { more, reversals };
    });
  }

  private async dropped(
    gone: readonly OwnedTransfer[],
  ): Promise<ReadonlyMap<PaymentRequestId, RecordedTransfer[]>> {
    return gone.length === 0 ? new Map() : this.transfers.drop(gone.map(({ transfer }) => transfer.id));
  }

  private async finalized(network: string, { final }: ChainProgress): Promise<Finalized> {
    if (final === null) return { requests: [], more: false };
    return this.transfers.finalize(network, final.number, FINALIZED_PER_TURN);
  }

  private tell(
    network: string,
    { missed, phantoms, disagreement }: Reread,
    reversals: readonly Reversal[],
  ): void {
    for (const { request, transfers } of reversals)
      this.alerts.creditedTransferDisappeared(network, request, transfers);
    if (disagreement !== null) this.alerts.endpointsDisagree(network, disagreement);
    const found = [...missed.values()].flat();
    if (found.length + phantoms.length === 0) return;
    this.alerts.readingsDiffered(network, found.length, phantoms.length);
  }

  private otherNetworks(network: string): string[] {
    return this.catalogue.networks().flatMap((other) => (other.network === network ? [] : [other.network]));
  }
}

/** In the order given, of each request together. */
function together(
  ...lists: readonly ReadonlyMap<PaymentRequestId, readonly Arrival[]>[]
): Map<PaymentRequestId, Arrival[]> {
  const all = new Map<PaymentRequestId, Arrival[]>();
  for (const list of lists)
    for (const [id, arrived] of list) all.set(id, [...(all.get(id) ?? []), ...arrived]);
  return all;
}
