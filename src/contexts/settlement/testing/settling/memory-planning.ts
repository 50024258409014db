import { isNative } from '#shared/kernel/asset.js';
import {
  SettlementPlanDiffers,
  SettlementPlanning,
  type DuePayout,
  type PlanDifferenceKind,
  type SettlementBatch,
  type SettlementOutcome,
  type TriedPayout,
} from '#contexts/networks/contract/settlement-planning.js';

/** Plans as the real one does, without a node. */
export class MemoryPlanning extends SettlementPlanning {
  /** The difference that simulation shows, by address. */
  readonly differing = new Map<string, PlanDifferenceKind>();
  mostOfBatch = 300;
  /** Deposit addresses whose payouts fail in execution, and those at which nothing is found then. */
  readonly failing = new Set<string>();
  readonly silent = new Set<string>();
  /** Deposit addresses whose fee recipient does not take its share. */
  readonly feeless = new Set<string>();
  /** And those whose fee recipient does not take it in execution alone. */
  readonly losingFees = new Set<string>();
  /** How many payouts a call tries before its gas runs low. */
  tried = Infinity;
  dataFeeOfPayout = 0n;
  private readonly calls = new Map<string, readonly TriedPayout[]>();

  override async plan(
    network: string,
    _sender: string,
    due: readonly DuePayout[],
  ): Promise<readonly SettlementBatch[]> {
    const differences = due.flatMap(({ depositAddress, asset }) => {
      const kind = this.differing.get(depositAddress);
      if (kind === undefined) return [];
      return [{ kind, depositAddress, uniqueAssetId: asset.uniqueAssetId, says: `It is ${kind}.` }];
    });
    if (differences.length > 0) throw new SettlementPlanDiffers(network, differences);
    const batches: SettlementBatch[] = [];
    for (let at = 0; at < due.length; at += this.mostOfBatch) {
      const payouts = due.slice(at, at + this.mostOfBatch).map((each) => {
        const isFeeRefused = this.feeless.has(each.depositAddress);
        const toFee = isFeeRefused ? 0n : (each.gross * BigInt(each.terms.feeBasisPoints)) / 10_000n;
        return { ...each, toSettlement: each.gross - toFee, toFee, isFeeRefused };
      });
      const data = `0x${payouts.map(({ depositAddress }) => depositAddress.slice(-4)).join('')}` as const;
      const token = (asset: DuePayout['asset']) => (isNative(asset) ? null : asset.token);
      this.calls.set(
        data,
        payouts.map(({ depositAddress, asset }) => ({ depositAddress, token: token(asset) })),
      );
      batches.push({ payouts, call: { to: '0xfac0', data, gas: 100_000n * BigInt(payouts.length) } });
    }
    // In no promised order.
    return batches.reverse();
  }

  override async outcome(_network: string, { data }: { data: string }): Promise<SettlementOutcome> {
    const { failing, silent, tried } = this;
    const payouts = this.calls.get(data)!.slice(0, tried);
    const failed = payouts.filter(({ depositAddress }) => failing.has(depositAddress));
    const isElse = ({ depositAddress }: TriedPayout) =>
      !failing.has(depositAddress) && !silent.has(depositAddress);
    const settled = payouts.filter(isElse).map((payout) => {
      return { ...payout, toFee: this.losingFees.has(payout.depositAddress) ? 0n : 1n };
    });
    return { settled, failed, tried };
  }

  override async dataFee(): Promise<bigint> {
    return this.dataFeeOfPayout;
  }
}
