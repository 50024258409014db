import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import { newId } from '#shared/kernel/ids.js';
import { OutboundTransactionSender } from '#contexts/networks/contract/outbound-transaction-sender.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { PlannedTransfer } from '#contexts/networks/contract/transfer-planning.js';
import type { FloatPayment, FloatPayout } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { FloatPayouts } from '#contexts/settlement/infrastructure/refunds/persistence/float-payouts.js';
import {
  holdingKeyOf,
  NATIVE_HOLDING_KEY,
  type FloatWithAddress,
} from '#contexts/settlement/domain/refunds/refund-float.js';
import { RefundFloats } from '#contexts/settlement/infrastructure/refunds/persistence/refund-floats.js';
import { RefundLimits } from '#contexts/settlement/infrastructure/refunds/persistence/refund-limits.js';
import type { Refund } from '#contexts/settlement/domain/refunds/refund.js';
import { Refunds } from '#contexts/settlement/domain/refunds/refunds.js';

/**
 * Considers payouts without a stored transaction, and pending refunds whose approval was lost in a database restore.
 */
@Injectable()
export class FindFloatPayoutOfCall {
  constructor(
    private readonly chains: Chains,
    private readonly sender: OutboundTransactionSender,
    private readonly floats: RefundFloats,
    private readonly payouts: FloatPayouts,
    private readonly refunds: Refunds,
    private readonly limits: RefundLimits,
    private readonly clock: Clock,
  ) {}

  /** Marks the payout as sent. Must run in a unit of work. */
  async findAndMarkSent(float: FloatWithAddress, call: PlannedTransfer['call'], by: string) {
    const paid = this.chains.require(float.network, 'transferPlanning').decodePayment(call);
    if (paid === null) return null;
    const payment = { holding: paid.token ?? NATIVE_HOLDING_KEY, to: paid.to, amount: paid.amount };
    const { organizationId, network } = float;
    const pending = await this.refunds.lockPending(organizationId, { ...payment, network });
    await this.floats.lock(float.id);
    const payout =
      (await this.findUnsentPayout(float, payment)) ??
      (await this.approvePaidRefund(float, pending, payment, by));
    if (payout === undefined) return null;
    const isFree = (await this.sender.status(payout.id)) === null;
    const id = isFree ? payout.id : newId<string>();
    await this.payouts.linkOutboundTransaction(payout.id, id, call);
    return { id, purpose: payout.kind === 'refund' ? ('refund' as const) : ('float_withdrawal' as const) };
  }

  private async findUnsentPayout(
    { id }: FloatWithAddress,
    payment: FloatPayment,
  ): Promise<FloatPayout | undefined> {
    for (const payout of await this.payouts.listUnfinished(id, payment)) {
      // Also skips cancelled transactions: their gas is recorded when the payout fails.
      if (payout.sendingId !== payout.id) continue;
      const fate = await this.sender.status(payout.id);
      if (fate === null || fate.state === 'foreign') return payout;
    }
    return undefined;
  }

  /** The funds have left, so balance, limit and allotment are not checked. */
  private async approvePaidRefund(
    { id: floatId, address: floatAddress, organizationId }: FloatWithAddress,
    pending: readonly Refund[],
    payment: FloatPayment,
    by: string,
  ): Promise<FloatPayout | undefined> {
    const refund = pending.find(({ snapshot }) => holdingKeyOf(snapshot.asset) === payment.holding);
    if (refund === undefined) return undefined;
    const { id, accountId, asset, amount } = refund.snapshot;
    const fromAllotment = await this.isWithinAllotment(refund);
    refund.approve(by, floatAddress, await this.clock.now());
    await this.payouts.reserve({
      id,
      kind: 'refund',
      floatId,
      floatAddress,
      organizationId,
      accountId,
      asset,
      amount,
      to: payment.to,
      gasReserved: 0n,
      orderedBy: by,
      fromAllotment,
    });
    await this.refunds.save(refund);
    return (await this.payouts.listUnfinished(floatId, payment)).find((each) => each.id === id);
  }

  /** Locks the account's allotment if the refund uses one. */
  private async isWithinAllotment({ snapshot }: Refund): Promise<boolean> {
    if (!(await this.limits.takesFromAllotment(snapshot))) return false;
    const { accountId, asset, amount } = snapshot;
    const { allotted, used } = await this.limits.lockAllotment(accountId, asset.uniqueAssetId);
    return used + amount <= allotted;
  }
}
