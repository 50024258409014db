import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type { ChainProgress } from '../contract/incoming-transfer.js';
import { NativeBalances } from '../contract/native-balances.js';
import { RecordedTransfers, type Finalized } from '../contract/recorded-transfers.js';
import { SeenTransfers } from '../contract/seen-transfers.js';
import { RequestEvaluation, RequestsToEvaluate, type Evaluation } from '../contract/requests-to-evaluate.js';
import { WatchedChain, type Cursor, type Step } from '../domain/watched-chain.js';
import { type Findings, joined } from './gather-findings.js';
import { returnedToPending } from './pending/pending-again.js';
import { RecordPayouts } from './record-payouts.js';
import { unlessHidden } from './internal-transfers/known-balances.js';

/** Each bounds the length of one unit of work. */
const ENDED_PER_TURN = 500;
const FINALIZED_PER_TURN = 500;
const UNBOOKED_PER_TURN = 25;
const UNCOUNTED_PER_TURN = 1_000;

export interface StoredCycle extends Evaluation {
  /** True if more requests are past their deadline, or more transfers or payouts are final, than one iteration takes. */
  readonly more: boolean;
}

/**
 * Stores the findings of an iteration together with the moved cursor, and evaluates the requests concerned. One unit of work,
 * fenced by the epoch of the network's lease.
 */
@Injectable()
export class StoreFindings {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly chain: WatchedChain,
    private readonly transfers: RecordedTransfers,
    private readonly seen: SeenTransfers,
    private readonly toEvaluate: RequestsToEvaluate,
    private readonly payouts: RecordPayouts,
    private readonly balances: NativeBalances,
    private readonly requests: RequestEvaluation,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws CursorMoved, LeaseLost: nothing was changed */
  store(network: string, cursor: Cursor, findings: Findings, epoch: bigint): Promise<StoredCycle> {
    const { arrivals, reread, internalTransfers, crossCheck, pending } = findings;
    const step = this.stepOf(network, cursor, findings);
    const headTime = (findings.blocks.at(-1)?.header ?? cursor.head).time;
    return this.unitOfWork.run(async () => {
      const now = await this.clock.now();
      const progress = await this.chain.advance(network, step, epoch);
      const found = [...arrivals.payouts, ...reread.payouts];
      await this.payouts.record(network, { refuted: reread.refutedPayouts, found }, now);
      const morePayouts = await this.payouts.finalize(network, progress.final, now);
      await this.balances.compared(network, internalTransfers.compared);
      await this.balances.unwatch(network, internalTransfers.ended);
      if (internalTransfers.sweptTo !== undefined)
        await this.balances.sweptTo(network, internalTransfers.sweptTo);
      const refuted = [...reread.refuted, ...crossCheck.refuted].map(({ transfer }) => transfer.id);
      const dropped = [...refuted, ...pending.gone];
      const confirmed = [...crossCheck.confirmed.values()].flatMap((ids) => [...ids]);
      await this.seen.noteMissing(pending, [...dropped, ...confirmed]);
      const lost = await this.transfers.drop(dropped);
      await this.transfers.confirmCrossChecked(confirmed);
      const ended = await this.toEvaluate.pastDeadline(
        network,
        this.otherNetworks(network),
        progress,
        ENDED_PER_TURN,
      );
      const finalized = await this.finalize(network, progress);
      const unbooked = await this.toEvaluate.withUnbookedTransfers(network, UNBOOKED_PER_TURN);
      const inBlocks = joined(reread.missed, arrivals.byRequest, internalTransfers.byRequest);
      const returned = returnedToPending(lost, headTime, inBlocks);
      const arrived = joined(inBlocks, pending.byRequest, returned);
      const due = [...ended, ...finalized.requests, ...unbooked];
      const evaluation = await this.requests.evaluate(
        { read: new Map([[network, progress]]), due, lost, arrived },
        now,
      );
      const uncounted = await this.transfers.uncountRest(UNCOUNTED_PER_TURN);
      return {
        more: ended.length === ENDED_PER_TURN || finalized.more || morePayouts || uncounted,
        ...evaluation,
      };
    });
  }

  private stepOf(network: string, cursor: Cursor, { blocks, reread, ...found }: Findings): Step {
    const known = unlessHidden(found.internalTransfers.known, found.crossCheck.hiddenSince);
    return {
      from: cursor,
      blocks: blocks.map(({ header, readBy }) => ({ ...header, readBy })),
      finalNumber: reread.finalNumber,
      disagreement: reread.disagreement,
      maxLagSeconds: this.catalogue.network(network)!.maxLagSeconds,
      balancesKnownAt: known.at,
      balanceRound: known.round,
      pendingReadAt: found.pending.readAt,
    };
  }

  private async finalize(network: string, { final }: ChainProgress): Promise<Finalized> {
    if (final === null) return { requests: [], more: false };
    return this.transfers.finalize(network, final.number, FINALIZED_PER_TURN);
  }

  private otherNetworks(network: string): string[] {
    return this.catalogue.networks().flatMap((other) => (other.network === network ? [] : [other.network]));
  }
}
