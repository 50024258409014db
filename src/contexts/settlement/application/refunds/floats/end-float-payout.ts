import { Injectable } from '@nestjs/common';
import { isNative } from '#shared/kernel/asset.js';
import { Clock } from '#shared/kernel/clock.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import type {
  PaidGas,
  RefundFloatWithdrawalStatusChanged,
} from '#contexts/settlement/contract/refund-events.js';
import type { FloatPayoutOutcome, FloatPayout } from '#contexts/settlement/domain/refunds/float-payouts.js';
import { FloatPayouts } from '#contexts/settlement/infrastructure/refunds/persistence/float-payouts.js';
import { Refunds } from '#contexts/settlement/domain/refunds/refunds.js';

class PayoutAlreadyEnded extends Error {}

/** Ends the payout atomically in its refund, its float and the event log. */
@Injectable()
export class EndFloatPayout {
  constructor(
    private readonly payouts: FloatPayouts,
    private readonly refunds: Refunds,
    private readonly catalogue: NetworkCatalogue,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async end(payout: FloatPayout, ended: FloatPayoutOutcome): Promise<boolean> {
    try {
      await this.unitOfWork.run(async () => {
        const now = await this.clock.now();
        const gas = paidGas(this.catalogue, payout.asset.network, ended.gas);
        if (payout.kind === 'refund') await this.endRefund(payout, ended, gas, now);
        const events = payout.kind === 'refund' ? [] : [withdrawalEvent(payout, ended, gas, now)];
        if (!(await this.payouts.end(payout, ended, events))) throw new PayoutAlreadyEnded();
      });
      return true;
    } catch (error) {
      if (error instanceof PayoutAlreadyEnded) return false;
      throw error;
    }
  }

  private async endRefund(
    { id, organizationId, accountId }: FloatPayout,
    { status, transactionHash, failure }: FloatPayoutOutcome,
    gas: { readonly gas?: PaidGas },
    now: Date,
  ): Promise<void> {
    const refund = await this.refunds.lock({ organizationId, accountId }, id);
    if (refund.snapshot.status !== 'processing') throw new PayoutAlreadyEnded();
    if (status === 'completed') refund.complete({ transactionHash: transactionHash!, ...gas }, now);
    else refund.fail(failure!, { transactionHash, ...gas }, now);
    await this.refunds.save(refund);
  }
}

export function withdrawalEvent(
  payout: Pick<
    FloatPayout,
    'id' | 'organizationId' | 'accountId' | 'asset' | 'amount' | 'floatAddress' | 'to'
  >,
  {
    status,
    transactionHash,
  }: Pick<FloatPayoutOutcome, 'transactionHash'> & {
    readonly status: FloatPayoutOutcome['status'] | 'processing';
  },
  gas: { readonly gas?: PaidGas },
  now: Date,
): RefundFloatWithdrawalStatusChanged {
  const { id, organizationId, accountId, asset, amount, floatAddress, to } = payout;
  return {
    type: 'refund_float.withdrawal_status_changed',
    aggregateId: id,
    organizationId,
    accountId,
    occurredAt: now,
    data: {
      status,
      network: asset.network,
      uniqueAssetId: asset.uniqueAssetId,
      currency: asset.symbol,
      decimals: asset.decimals,
      amount: amount.toString(),
      from: floatAddress,
      to,
      ...(transactionHash === null ? {} : { transactionHash }),
      ...gas,
    },
  };
}

/** Empty if the native coin is not in the catalogue or no gas was paid. */
function paidGas(catalogue: NetworkCatalogue, network: string, gas: bigint): { gas?: PaidGas } {
  const native = catalogue.assets().find((asset) => asset.network === network && isNative(asset));
  if (native === undefined || gas === 0n) return {};
  return { gas: { uniqueAssetId: native.uniqueAssetId, amount: gas.toString() } };
}
