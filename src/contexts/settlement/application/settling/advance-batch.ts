import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { DomainError } from '#shared/kernel/domain-error.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  GAS_KEY_NAME,
  OutboundTransactionSender,
  type OutboundTransactionStatus,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { AttemptedPayout } from '#contexts/networks/contract/settlement-planning.js';
import { NetworkReadProgressQuery } from '#contexts/chain-watching/contract/reading-progress.js';
import {
  type Batch,
  batchMayBecome,
  type BatchPayout,
  type BatchState,
  IN_FLIGHT_STATES,
} from '../../domain/settling/batch.js';
import { Batches } from '../../infrastructure/settling/persistence/batches.js';
import type { FailingTerms } from '../../domain/settling/set-aside.js';
import { SetAsidePayouts } from '../../infrastructure/settling/persistence/set-aside-payouts.js';
import { ReadBalances } from './read-balances.js';

/** An abandoned batch is planned again, because the balances may have changed. */
const ABANDON_AFTER_MS = 600_000;

export interface BatchProgress {
  readonly batch: Batch;
  readonly state: BatchState;
  readonly refused: string | null;
  readonly failing: readonly FailingTerms[];
  /** Payouts whose fee recipient did not accept its share, contrary to the simulation. */
  readonly lostFees: readonly BatchPayout[];
}

interface PayoutOutcomes {
  readonly failed: readonly BatchPayout[];
  readonly paid: readonly BatchPayout[];
  readonly lostFees: readonly BatchPayout[];
}
const NO_PAYOUT_OUTCOMES: PayoutOutcomes = { failed: [], paid: [], lostFees: [] };

/** The batch's id identifies its call to the sender, so that the call is sent only once, even after a crash. */
@Injectable()
export class AdvanceBatch {
  constructor(
    private readonly batches: Batches,
    private readonly sender: OutboundTransactionSender,
    private readonly reading: NetworkReadProgressQuery,
    private readonly setAside: SetAsidePayouts,
    private readonly chains: Chains,
    private readonly catalogue: NetworkCatalogue,
    private readonly balances: ReadBalances,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async advance(batch: Batch): Promise<BatchProgress> {
    let fate = await this.sender.status(batch.id);
    if (fate === null) {
      if (batch.state !== 'chosen') return unchangedBatch(batch);
      const age = (await this.clock.now()).getTime() - batch.createdAt.getTime();
      if (age > ABANDON_AFTER_MS) return this.changeState(batch, 'abandoned', null);
      try {
        fate = await this.send(batch);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'state_conflict') throw error;
        return { ...unchangedBatch(batch), refused: error.message };
      }
    }
    return this.changeState(batch, await this.stateAfter(batch, fate), fate.transactionHash);
  }

  private send({ id, network, call: { to, data, gas } }: Batch): Promise<OutboundTransactionStatus> {
    const call = { to, data, value: 0n, gasLimit: gas };
    return this.sender.send({ id, network, key: GAS_KEY_NAME, purpose: 'settlement', call });
  }

  private async changeState(batch: Batch, state: BatchState, hash: string | null): Promise<BatchProgress> {
    if (!batchMayBecome(batch.state, state)) return unchangedBatch(batch);
    const { failed, paid, lostFees } = await this.payoutOutcomes(batch, state, hash);
    const says =
      state === 'reverted'
        ? `The transaction of batch ${batch.id} was reverted, with all of its payouts.`
        : `Payouts in batch ${batch.id} did not have the effect that the simulation showed, and cost gas.`;
    const failing = await this.unitOfWork.run(async () => {
      if (!(await this.batches.changeState(batch, state, hash))) return null;
      await this.setAside.endFailingTermsPause(batch.network, paid);
      return this.setAside.addFailingTerms(batch.network, failed, says);
    });
    return failing === null ? unchangedBatch(batch) : { batch, state, refused: null, failing, lostFees };
  }

  /** Waiting for finality would send more payouts that fail for the same terms. */
  private async payoutOutcomes(
    batch: Batch,
    state: BatchState,
    hash: string | null,
  ): Promise<PayoutOutcomes> {
    const isMined = state === 'delivered' || state === 'final';
    if (state === 'reverted') return { ...NO_PAYOUT_OUTCOMES, failed: await this.batches.payouts(batch.id) };
    if (!isMined || !IN_FLIGHT_STATES.includes(batch.state)) return NO_PAYOUT_OUTCOMES;
    const payouts = await this.batches.payouts(batch.id);
    const outcome = await this.chains.require(batch.network, 'settlementPlanning').outcome(batch.call, hash!);
    const isIn = (events: readonly AttemptedPayout[]) => {
      const keys = new Set<string | null>(
        events.map(({ depositAddress, token }) => `${depositAddress} ${token ?? ''}`),
      );
      return (payout: BatchPayout) => keys.has(this.payoutKeyOf(payout));
    };
    const [settled, failed] = [isIn(outcome.settled), isIn(outcome.failed)];
    const feeless = isIn(outcome.settled.filter(({ toFee }) => toFee === 0n));
    const silent = payouts.filter((each, i) => i < outcome.tried && !settled(each) && !failed(each));
    return {
      failed: [...payouts.filter(failed), ...(await this.stillUnpaid(batch.network, silent))],
      paid: payouts.filter(settled),
      lostFees: payouts.filter((each) => each.toFee > 0n && feeless(each)),
    };
  }

  /** A failed payout has no event and its full balance is still there; otherwise another transaction settled it. */
  private async stillUnpaid(network: string, payouts: readonly BatchPayout[]): Promise<BatchPayout[]> {
    const known = payouts.filter(({ uniqueAssetId }) => this.catalogue.asset(uniqueAssetId) !== undefined);
    const { found } = await this.balances.read(network, known);
    return found.filter(({ balance, toSettlement, toFee }) => balance >= toSettlement + toFee);
  }

  private payoutKeyOf({ address, uniqueAssetId }: BatchPayout): string | null {
    const asset = this.catalogue.asset(uniqueAssetId);
    return asset === undefined ? null : `${address} ${isNative(asset) ? '' : asset.token}`;
  }

  private async stateAfter(batch: Batch, fate: OutboundTransactionStatus): Promise<BatchState> {
    switch (fate.state) {
      case 'mined':
        return fate.succeeded === true ? 'delivered' : 'sent';
      case 'final':
        return (await this.isRecordedOrRead(batch, fate)) ? 'final' : 'delivered';
      case 'reverted':
      case 'foreign':
      case 'cancelled':
        return fate.state;
      default:
        return 'sent';
    }
  }

  /** Until the payouts are recorded or read, the delivered amounts count as waiting. */
  private async isRecordedOrRead(
    { network }: Batch,
    { transactionHash, blockNumber }: OutboundTransactionStatus,
  ): Promise<boolean> {
    if (await this.batches.isSettlementRecorded(network, transactionHash!)) return true;
    const reading = (await this.reading.networkProgress()).find((each) => each.network === network);
    return reading?.finalNumber != null && reading.finalNumber >= blockNumber!;
  }
}

function unchangedBatch(batch: Batch): BatchProgress {
  return { batch, state: batch.state, refused: null, failing: [], lostFees: [] };
}
