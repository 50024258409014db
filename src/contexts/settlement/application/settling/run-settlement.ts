import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import {
  GAS_KEY_NAME,
  OutboundTransactionSender,
} from '#contexts/networks/contract/outbound-transaction-sender.js';
import type { PlannedPayout, SettlementBatch } from '#contexts/networks/contract/settlement-planning.js';
import type { Batch, BatchPayout } from '../../domain/settling/batch.js';
import { Batches } from '../../infrastructure/settling/persistence/batches.js';
import type { PlanDifference } from '../../domain/settling/set-aside.js';
import { SetAsidePayouts } from '../../infrastructure/settling/persistence/set-aside-payouts.js';
import { AdvanceBatch, type BatchProgress } from './advance-batch.js';
import { PlanSettlementRun, type SettlementRunPlan } from './plan-settlement-run.js';

export interface SettlementRun {
  readonly plan: SettlementRunPlan;
  readonly setAside: readonly PlanDifference[];
  readonly refusedFees: readonly PlannedPayout[];
  /** Null if nothing was due, or another batch is in flight. */
  readonly sent: BatchProgress | null;
}

@Injectable()
export class RunSettlement {
  constructor(
    private readonly sender: OutboundTransactionSender,
    private readonly planSettlementRun: PlanSettlementRun,
    private readonly batches: Batches,
    private readonly setAside: SetAsidePayouts,
    private readonly advanceBatch: AdvanceBatch,
  ) {}

  async run(network: string): Promise<SettlementRun> {
    const sender = this.sender.addressOf(network, GAS_KEY_NAME);
    const plan = await this.planSettlementRun.plan(network, sender);
    const setAside = await this.setAside.add(network, plan.differences);
    const [first] = plan.batches;
    const chosen = first === undefined ? null : await this.chooseBatch(network, sender, plan, first);
    const refusedFees = chosen === null ? [] : first!.payouts.filter(({ isFeeRefused }) => isFeeRefused);
    return { plan, setAside, refusedFees, sent: chosen && (await this.advanceBatch.advance(chosen)) };
  }

  private async chooseBatch(
    network: string,
    sender: string,
    { due }: SettlementRunPlan,
    { call, payouts }: SettlementBatch,
  ): Promise<Batch | null> {
    const owners = new Map(due.map((each) => [`${each.address} ${each.uniqueAssetId}`, each]));
    const stored = payouts.map(({ depositAddress: address, asset, toSettlement, toFee }): BatchPayout => {
      const { uniqueAssetId } = asset;
      const { organizationId, accountId, paymentRequestId } = owners.get(`${address} ${uniqueAssetId}`)!;
      const owner = { organizationId, accountId, paymentRequestId };
      return { ...owner, address, uniqueAssetId, toSettlement, toFee };
    });
    const id = newId<string>();
    if (!(await this.batches.addChosen({ id, network, sender, call, payouts: stored }))) return null;
    await this.setAside.remove(network, stored);
    return (await this.batches.listOpen(network)).find((batch) => batch.id === id) ?? null;
  }
}
