import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * One asset of one deposit address that was paid out whole, by the address's terms, as the chain's `Settled` log says.
 * Amounts are smallest units as decimal integers; addresses lower-case hex.
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
  /** The fee in the terms of the address. */
  readonly feeBasisPoints: number;
}

/**
 * All that one transaction of one block paid out of one account's deposit addresses by one contract, whoever sent it,
 * once. A reorganisation may still remove the block. `aggregateId` is an id of these payouts in this block.
 */
export type PayoutsSeen = DomainEvent<
  'payouts.seen',
  {
    readonly network: string;
    readonly transactionHash: string;
    readonly blockNumber: number;
    readonly blockHash: string;
    /** The contract that paid them out. */
    readonly from: string;
    readonly payouts: readonly PaidOutAddress[];
  }
>;

/** Their block can no longer disappear, and was read a second time. */
export type PayoutsFinal = DomainEvent<'payouts.final', { readonly network: string }>;

/**
 * Their block is not part of the chain any more, so what they paid out is at the deposit addresses again; or a second reading
 * showed another content of it, which a `payouts.seen` with another id then has.
 */
export type PayoutsRemoved = DomainEvent<
  'payouts.removed',
  {
    readonly network: string;
    /** The chain was reorganised below finality. */
    readonly wereFinal: boolean;
  }
>;

export type PayoutEvent = PayoutsSeen | PayoutsFinal | PayoutsRemoved;
