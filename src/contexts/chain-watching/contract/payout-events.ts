import type { DomainEvent } from '#shared/kernel/domain-event.js';

/** Amounts are decimal integers in smallest units. Addresses are lower-case hex. */
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
 * All payouts by one contract from the deposit addresses of one account in one transaction of one block. A
 * reorganization may still remove the block.
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

/** A block with payouts is final, and its confirmation read found the same payouts. */
export type PayoutsFinal = DomainEvent<'payouts.final', { readonly network: string }>;

/**
 * Either the block is no longer in the chain, so the funds are at the deposit addresses again, or the confirmation
 * read found other payouts, which a new `payouts.seen` reports.
 */
export type PayoutsRemoved = DomainEvent<
  'payouts.removed',
  {
    readonly network: string;
    /** True if the chain was reorganized below finality. */
    readonly wereFinal: boolean;
  }
>;

export type PayoutEvent = PayoutsSeen | PayoutsFinal | PayoutsRemoved;
