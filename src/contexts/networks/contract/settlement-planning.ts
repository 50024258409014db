import type { Asset } from '#shared/kernel/asset.js';
import type { DepositTerms, Derivation } from './deposit-addresses.js';

/** One asset of one deposit address whose whole balance is to be paid out by the terms that the address commits to. */
export interface DuePayout {
  /** In the canonical spelling. */
  readonly depositAddress: string;
  /** The derivation that was stored with the address. */
  readonly derivation: Derivation;
  readonly terms: DepositTerms;
  readonly paymentRequestId: string;
  readonly asset: Asset;
  /** The amount expected at the address, in smallest units; above zero. */
  readonly gross: bigint;
}

/** The amounts that a payout sends to the two recipients that its deposit address commits to, in smallest units. */
export interface PlannedPayout extends DuePayout {
  readonly toSettlement: bigint;
  readonly toFee: bigint;
  /** The fee recipient does not take its share, which goes to the settlement address with the rest. */
  readonly isFeeRefused: boolean;
}

/** A call that pays out a batch, for the network's sender; simulated as it stands, it did what is planned. */
export interface SettlementBatch {
  readonly payouts: readonly PlannedPayout[];
  /** Only the network's chain type reads the call and the limit of gas that it needs. */
  readonly call: { readonly to: string; readonly data: `0x${string}`; readonly gas: bigint };
}

export type PlanDifferenceKind =
  'not_derived' | 'listed_twice' | 'too_costly' | 'failed' | 'not_paid_out' | 'other_amounts' | 'unplanned';

/** One payout that simulation did not show as it was planned. */
export interface PlanDifference {
  readonly kind: PlanDifferenceKind;
  readonly depositAddress: string;
  /** The asset, where it is known. */
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

/** One asset of one deposit address, as a log names it. */
export interface TriedPayout {
  readonly depositAddress: string;
  /** The token as the catalogue spells it; null for the native coin. */
  readonly token: string | null;
}

/** The payouts that a mined call made, by its receipt. */
export interface SettlementOutcome {
  /** With what the fee recipient took. */
  readonly settled: readonly (TriedPayout & { readonly toFee: bigint })[];
  readonly failed: readonly TriedPayout[];
  /** How many payouts of the call were tried, in its order, before gas ran low; `Infinity` where it did not. */
  readonly tried: number;
}

/** Plans what pays out deposit addresses, and proves it by simulation before anything is sent. */
export abstract class SettlementPlanning {
  /**
   * Batches as large as a transaction and a block of the network may hold, in no promised order. A batch holds one asset;
   * with native coin, payouts that call the same contracts. So whoever's code runs in a batch spoils that batch alone.
   * Those that are due first stand in the first batches of their kind.
   * @param sender the account that will send them @throws SettlementPlanDiffers, ChainUnavailable
   */
  abstract plan(
    network: string,
    sender: string,
    due: readonly DuePayout[],
  ): Promise<readonly SettlementBatch[]>;
  /** @param transactionHash of a block that may still disappear @throws ChainUnavailable also where there is no receipt */
  abstract outcome(
    network: string,
    call: { readonly to: string; readonly data: string },
    transactionHash: string,
  ): Promise<SettlementOutcome>;
  /**
   * The charge of a rollup for the data of one payout among others, in the smallest unit of the native coin; zero elsewhere.
   * @throws ChainUnavailable
   */
  abstract dataFee(network: string): Promise<bigint>;
}
