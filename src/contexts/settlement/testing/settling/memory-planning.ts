import {
  SettlementPlanDiffers,
  SettlementPlanning,
  type DuePayout,
  type PlanDifferenceKind,
  type SettlementBatch,
} from '../../../networks/contract/settlement-planning.js';

/** Plans as the real one does, without a node. */
export class MemoryPlanning extends SettlementPlanning {
  /** What simulation shows of an address, by its address. */
  readonly differing = new Map<string, PlanDifferenceKind>();
  mostOfBatch = 300;

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
        const toFee = (each.gross * BigInt(each.terms.feeBasisPoints)) / 10_000n;
        return { ...each, toSettlement: each.gross - toFee, toFee };
      });
      const data = `0x${payouts.map(({ depositAddress }) => depositAddress.slice(-4)).join('')}` as const;
      batches.push({ payouts, call: { to: '0xfac0', data, gas: 100_000n * BigInt(payouts.length) } });
    }
    // In no promised order.
    return batches.reverse();
  }
}
