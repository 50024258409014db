import type { Asset } from '../../../shared/kernel/asset.js';
import type { DepositTerms, Derivation } from './deposit-addresses.js';

/** One asset of one deposit address whose whole balance is to be paid out by the terms that the address commits to. */
export interface DuePayout {
  /** In the canonical spelling. */
  readonly depositAddress: string;
  /** As it was stored with the address. */
  readonly derivation: Derivation;
  readonly terms: DepositTerms;
  readonly paymentRequestId: string;
  readonly asset: Asset;
  /** What is expected at the address, in smallest units; above zero. */
  readonly gross: bigint;
}

/** What a payout sends to the two recipients that its deposit address commits to, in smallest units. */
export interface PlannedPayout extends DuePayout {
  readonly toSettlement: bigint;
  readonly toFee: bigint;
}

/** A call that pays out a batch, for the network's sender; simulated as it stands, it did what is planned. */
export interface SettlementBatch {
  readonly payouts: readonly PlannedPayout[];
  /** What only the network's family reads: the call, and the limit of gas that it needs. */
  readonly call: { readonly to: string; readonly data: `0x${string}`; readonly gas: bigint };
}

export type PlanDifferenceKind =
  'not_derived' | 'listed_twice' | 'too_costly' | 'failed' | 'not_paid_out' | 'other_amounts' | 'unplanned';

/** One payout that simulation did not show as it was planned. */
export interface PlanDifference {
  readonly kind: PlanDifferenceKind;
  readonly depositAddress: string;
  /** Of the asset, where it is known. */
  readonly uniqueAssetId: string | null;
  /** A sentence for the operator. */
  readonly says: string;
}

/** Nothing was sent. Without the payouts that it names, the others can be planned again. */
export class SettlementPlanDiffers extends Error {
  constructor(
    readonly network: string,
    readonly differences: readonly PlanDifference[],
  ) {
    super(`Network ${network}: ${differences.map(({ says }) => says).join(' ')}`);
    this.name = 'SettlementPlanDiffers';
  }
}

/** Plans what pays out deposit addresses, and proves it by simulation before anything is sent. */
export abstract class SettlementPlanning {
  /**
   * Batches as large as a transaction and a block of the network may hold, in no promised order.
   * @param sender the account that will send them @throws SettlementPlanDiffers, ChainUnavailable
   */
  abstract plan(
    network: string,
    sender: string,
    due: readonly DuePayout[],
  ): Promise<readonly SettlementBatch[]>;
}
