import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * The payout of the full balance of one asset at one deposit address, as the chain's `Settled` log records it. Amounts are decimal
 * integers in smallest units. Addresses are lower-case hex.
 */
export interface PaidOutAddress {
  readonly paymentRequestId: string;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly settlementAddress: string;
  readonly toSettlement: string;
  readonly toFee: string;
  readonly feeBasisPoints: number;
}

/**
 * All payouts by one contract from one account's deposit addresses in one transaction of one block, no matter who sent the
 * transaction. Appended once. A reorganisation may still remove the block. `aggregateId` identifies these payouts in this block.
 */
export type PayoutsSeen = DomainEvent<
  'payouts.seen',
  {
    readonly network: string;
    readonly transactionHash: string;
    readonly blockNumber: number;
    readonly blockHash: string;
    readonly from: string;
    readonly payouts: readonly PaidOutAddress[];
  }
>;

/** The block of the payouts is final and passed the confirmation read. */
export type PayoutsFinal = DomainEvent<'payouts.final', { readonly network: string }>;

/**
 * The payouts are no longer valid. Either their block is no longer in the chain, so the funds are at the deposit addresses again.
 * Or the confirmation read showed other payouts, which a new `payouts.seen` with another id reports.
 */
export type PayoutsRemoved = DomainEvent<
  'payouts.removed',
  {
    readonly network: string;
    /** True if the chain was reorganised below finality. */
    readonly wereFinal: boolean;
  }
>;

export type PayoutEvent = PayoutsSeen | PayoutsFinal | PayoutsRemoved;
