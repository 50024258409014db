import { Injectable } from '@nestjs/common';
import { DomainError } from '#shared/kernel/domain-error.js';
import { BackgroundWork } from '#shared/platform/background/background-work.js';
import { LeasedLoop } from '#shared/platform/leases/leased-loop.js';
import { Leases } from '#shared/platform/leases/leases.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import {
  SettlementPolicies,
  type SettlementPolicy,
} from '#contexts/networks/contract/settlement-policies.js';
import { AdvanceBatch, type BatchProgress } from '../../application/settling/advance-batch.js';
import { RunSettlement, type SettlementRun } from '../../application/settling/run-settlement.js';
import { IN_FLIGHT_STATES } from '../../domain/settling/batch.js';
import { Batches } from './persistence/batches.js';
import { DueFunds } from './persistence/due-funds.js';
import { type PlanDifference, UNREADABLE_BALANCE } from '../../domain/settling/set-aside.js';
import { OperatorLogWriter } from '#shared/platform/logging/operator-log-writer.js';
import { SETTLEMENT_LOG_EVENTS } from '../log-events.js';

const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 15_000;
/** Time for the watcher to compare native balances, as requested through `InternalTransferCheck`. */
const COMPARISON_PAUSE_MS = 5_000;

@Injectable()
export class SettlingWorkers extends BackgroundWork {
  private readonly log = new OperatorLogWriter('settling', SETTLEMENT_LOG_EVENTS);
  /** Times on the monotonic clock of this process. */
  private readonly nextRun = new Map<string, number>();

  constructor(
    private readonly policies: SettlementPolicies,
    catalogue: NetworkCatalogue,
    leases: Leases,
    private readonly batches: Batches,
    private readonly runSettlement: RunSettlement,
    private readonly advanceBatch: AdvanceBatch,
    private readonly dueFunds: DueFunds,
  ) {
    // The leases only save duplicate RPC calls. The database prevents two processes from choosing the same deposits.
    super(
      [...policies.all()].map(([network, policy]) => {
        const { blockSeconds } = catalogue.network(network)!;
        const pause = Math.min(policy.everySeconds, blockSeconds) * 1_000;
        const idleMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, pause));
        return new LeasedLoop({ name: `settling ${network}`, idleMs }, leases, () =>
          this.settleNetwork(network),
        );
      }),
    );
  }

  private async settleNetwork(network: string): Promise<boolean> {
    const policy = this.policies.all().get(network)!;
    let isBusy = false;
    for (const batch of await this.batches.listOpen(network)) {
      const advanced = await this.advanceBatch.advance(batch);
      this.logRun(advanced);
      isBusy ||= IN_FLIGHT_STATES.includes(advanced.state);
    }
    const now = performance.now();
    if (isBusy || policy.isPaused || now < (this.nextRun.get(network) ?? 0)) return false;
    // A run requests prices from every endpoint. The first one also finds a missing gas key.
    if (this.nextRun.has(network) && !(await this.dueFunds.isAnyWaiting(network))) return false;
    this.nextRun.set(network, now + policy.everySeconds * 1_000);
    const run = await this.runOnce(network);
    if (run === null) return false;
    this.nextRun.set(network, now + pauseAfter(run, policy));
    for (const { asset } of run.plan.batches.flatMap(({ payouts }) => payouts))
      this.log.forgetLoggedState(`${network} ${asset.uniqueAssetId}`);
    for (const difference of run.setAside) this.logSetAside(network, difference);
    for (const { terms, asset, depositAddress } of run.refusedFees)
      this.log.writeOnce(
        `fee ${terms.settlementAddress} ${terms.feeRecipient} ${asset.uniqueAssetId}`,
        '',
        'settlement.fee_refused',
        {
          ...{ network, fee_recipient: terms.feeRecipient, settlement_address: terms.settlementAddress },
          ...{ unique_asset_id: asset.uniqueAssetId, address: depositAddress },
        },
      );
    if (run.sent !== null) this.logRun(run.sent);
    return false;
  }

  /** Null if this process holds no gas key; the missing key is logged once. */
  private async runOnce(network: string): Promise<SettlementRun | null> {
    try {
      const run = await this.runSettlement.run(network);
      this.log.forgetLoggedState(network);
      return run;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'state_conflict') throw error;
      const reason = error.message;
      this.log.writeOnce(network, reason, 'settlement.no_gas_key', { network, reason });
      return null;
    }
  }

  /** Logs an unreadable token once, because it affects every address. */
  private logSetAside(network: string, difference: PlanDifference): void {
    const { address, reason, uniqueAssetId, says } = difference;
    const line = { network, address, unique_asset_id: uniqueAssetId, reason, detail: says };
    if (reason === UNREADABLE_BALANCE)
      this.log.writeOnce(`${network} ${uniqueAssetId}`, reason, 'settlement.token_unreadable', line);
    else this.log.write('settlement.payout_set_aside', line);
  }

  private logRun({ batch, state, refused, failing, lostFees }: BatchProgress): void {
    const { id, network, payoutCount: payouts, transactionHash } = batch;
    const about = { batch_id: id, network, payouts };
    if (refused !== null) {
      const state = refused.replaceAll(/\d+/g, '#');
      this.log.writeOnce(`${network} refused`, state, 'settlement.waiting', { ...about, reason: refused });
      return;
    }
    for (const { settlementAddress, uniqueAssetId, says, times, failedAt, retryAt } of failing)
      this.log.write('settlement.terms_paused', {
        ...{ settlement_address: settlementAddress, unique_asset_id: uniqueAssetId, reason: says },
        ...{ network, times, failed_at: failedAt, retry_at: retryAt },
      });
    for (const { address, uniqueAssetId } of lostFees.slice(0, 1))
      this.log.write('settlement.fee_lost', {
        ...{ ...about, address, unique_asset_id: uniqueAssetId, lost: lostFees.length },
      });
    if (state === batch.state) return;
    this.log.forgetLoggedState(`${network} refused`);
    const isLost = ['reverted', 'foreign', 'cancelled'].includes(state);
    const line = { ...about, state, transaction_hash: transactionHash };
    this.log.write(isLost ? 'settlement.no_effect' : 'settlement.progressed', line);
  }
}

/** Starts immediately if more is due than one batch can hold. */
function pauseAfter({ plan }: SettlementRun, { everySeconds }: SettlementPolicy): number {
  const whole = everySeconds * 1_000;
  if (plan.batches.length > 1 || (plan.isFull && plan.batches.length > 0)) return 0;
  return plan.awaitingComparison.length > 0 ? Math.min(whole, COMPARISON_PAUSE_MS) : whole;
}
