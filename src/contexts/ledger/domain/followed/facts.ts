import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

export type SourceStatus = 'processing' | 'completed' | 'failed';

/** Amounts are in smallest units, addresses in display form. */
interface SourceFact {
  readonly sourceId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly currency: string;
  readonly decimals: number;
  readonly amount: bigint;
  readonly from: string;
  readonly to: string;
  readonly transactionHash?: string;
  readonly occurredAt?: Date;
}

/** Funds that a settlement took from one deposit address, including the fee. */
export interface SettledAddressPayout {
  readonly paymentRequestId: PaymentRequestId;
  readonly address: string;
  readonly gross: bigint;
  readonly feeBasisPoints: number;
}

/** The settlement address received `amount`, and the fee recipient received `feeAmount`. */
export interface SettlementFact extends SourceFact {
  readonly kind: 'settlement';
  readonly status: SourceStatus;
  readonly feeAmount: bigint;
  /** One payout per deposit address. Their gross amounts sum to `amount` plus `feeAmount`. */
  readonly payouts: readonly SettledAddressPayout[];
}

export interface GasAmount {
  readonly uniqueAssetId: string;
  readonly amount: bigint;
}

export interface RefundFact extends SourceFact {
  readonly kind: 'refund';
  readonly status: SourceStatus;
  readonly paymentRequestId: PaymentRequestId;
  readonly referenceId?: string;
  /** Present if the merchant's own wallet pays the refund, instead of the float. */
  readonly paidBy?: 'merchant' | undefined;
  /** Present when the refund has ended in a final block. */
  readonly gas?: GasAmount;
}

export interface FloatWithdrawalFact extends SourceFact {
  readonly kind: 'float_withdrawal';
  readonly status: SourceStatus;
  readonly gas?: GasAmount;
}

/** Funds that a float received in a final block. */
export interface TopUpFact extends SourceFact {
  readonly kind: 'top_up';
  readonly status: 'completed';
}

export type SourceEvent = SettlementFact | RefundFact | FloatWithdrawalFact | TopUpFact;
