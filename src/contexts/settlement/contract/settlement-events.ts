import type { DomainEvent } from '#shared/kernel/domain-event.js';

/**
 * `processing`: delivered in a block that a reorganization may still remove. `completed`: the block is final. `failed`:
 * the block was removed, so the funds are at the deposit addresses again. `pending` is part of the interface but not
 * used yet.
 */
export type SettlementStatus = 'pending' | 'processing' | 'completed' | 'failed';

/** Deposit address from which a settlement paid out its asset. Amounts in smallest units, as decimal integers. */
export interface SettledAddress {
  readonly paymentRequestId: string;
  /** In lower case. */
  readonly address: string;
  readonly toSettlement: string;
  readonly toFee: string;
  readonly feeBasisPoints: number;
}

/**
 * Status change of a settlement: the delivery of one account's funds, in one asset, to one settlement address, by one transaction.
 * `aggregateId` is the settlement's id. Every event contains the complete settlement.
 */
export type SettlementStatusChanged = DomainEvent<
  'settlement.status_changed',
  {
    readonly status: Exclude<SettlementStatus, 'pending'>;
    readonly network: string;
    readonly uniqueAssetId: string;
    readonly currency: string;
    readonly decimals: number;
    /** Amounts paid to the settlement address and to the fee recipient, in smallest units, as decimal integers. */
    readonly amount: string;
    readonly feeAmount: string;
    readonly settlementAddress: string;
    /** Contract that paid out the deposit addresses. */
    readonly from: string;
    readonly transactionHash: string;
    readonly addresses: readonly SettledAddress[];
  }
>;
