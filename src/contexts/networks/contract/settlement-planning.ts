import type { Asset } from '#shared/kernel/asset.js';
import type { DepositTerms, Derivation } from './deposit-addresses.js';

/** One asset of a deposit address, whose full balance is to be paid out. */
export interface DuePayout {
  readonly depositAddress: string;
  readonly derivation: Derivation;
  readonly terms: DepositTerms;
  readonly paymentRequestId: string;
  readonly asset: Asset;
  /** Smallest units, above 0. */
  readonly gross: bigint;
}

/** Amounts in smallest units. */
export interface PlannedPayout extends DuePayout {
  readonly toSettlement: bigint;
  readonly toFee: bigint;
  /** True if the fee recipient cannot receive its share. The share then goes to the settlement address. */
  readonly isFeeRefused: boolean;
}

/** A simulation of exactly this call made the planned payouts. */
export interface SettlementBatch {
  readonly payouts: readonly PlannedPayout[];
  /** Only the network's chain type interprets the call. */
  readonly call: { readonly to: string; readonly data: `0x${string}`; readonly gas: bigint };
}

export type SettlementPlanDifferenceKind =
  'not_derived' | 'listed_twice' | 'too_costly' | 'failed' | 'not_paid_out' | 'other_amounts' | 'unplanned';

export interface SettlementPlanDifference {
  readonly kind: SettlementPlanDifferenceKind;
  readonly depositAddress: string;
  /** Null if the asset is unknown. */
  readonly uniqueAssetId: string | null;
  readonly says: string;
}

/** Thrown if the simulation differs from the plan. The caller can plan again without the payouts named here. */
export class SettlementPlanMismatch extends Error {
  constructor(
    readonly network: string,
    readonly differences: readonly SettlementPlanDifference[],
  ) {
    super(`Network ${network}: ${differences.map(({ says }) => says).join(' ')}`);
    this.name = 'SettlementPlanDiffers';
  }
}

export interface AttemptedPayout {
  readonly depositAddress: string;
  /** Token contract, spelled as in the asset catalogue. Null for the native coin. */
  readonly token: string | null;
}

export interface SettlementOutcome {
  readonly settled: readonly (AttemptedPayout & { readonly toFee: bigint })[];
  readonly failed: readonly AttemptedPayout[];
  /** Number of payouts attempted before gas ran low, in the order of the call. `Infinity` if gas did not run low. */
  readonly tried: number;
}

export interface SettlementPlanning {
  /**
   * Batches of native coin contain only payouts that call the same contracts, so that a recipient's code can break
   * only its own batch.
   */
  plan(sender: string, due: readonly DuePayout[]): Promise<readonly SettlementBatch[]>;
  /**
   * @param transactionHash transaction in a block that is not necessarily final
   */
  outcome(
    call: { readonly to: string; readonly data: string },
    transactionHash: string,
  ): Promise<SettlementOutcome>;
  dataFeePerPayout(): Promise<bigint>;
  /** Gas of a token payout in a batch of twenty, with and without creating its contract. Default: that of EVM networks. */
  readonly payoutGas?: { readonly first: bigint; readonly repeat: bigint };
  /** Excludes a rollup's fee for its base chain. */
  gasPrice(): Promise<bigint>;
}
