import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `processing`: delivered in a block that a reorganisation may still remove. `completed`: that block is final. `failed`: that
 * block was removed, so that the money is at the deposit addresses again. `pending` is part of the interface and produced by
 * nothing yet.
 */
export type SettlementStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** One deposit address that a settlement emptied of its asset. Amounts are smallest units as decimal integers. */
export interface SettledAddress {
  readonly paymentRequestId: string;
  /** Lower-case hex. */
  readonly address: string;
  readonly toSettlement: string;
  readonly toFee: string;
  readonly feeBasisPoints: number;
}

/**
 * A settlement is what one transaction delivered of one account's money, in one asset, to one settlement address.
 * `aggregateId` is its id. Every event says all of it.
 */
export type SettlementStatusChanged = DomainEvent<
  'settlement.status_changed',
  {
    readonly status: Exclude<SettlementStatus, 'pending'>;
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    /** To the settlement address, and to the fee recipient, in smallest units as decimal integers. */
    readonly amount: string;
    readonly feeAmount: string;
    readonly settlementAddress: string;
    /** The contract that paid it out. */
    readonly from: string;
    readonly transactionHash: string;
    readonly addresses: readonly SettledAddress[];
  }
>;
