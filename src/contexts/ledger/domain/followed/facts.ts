import type { AccountId, OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

/** The statuses of a followed transaction. */
export type FollowedStatus = 'processing' | 'completed' | 'failed';

/** The fields of every fact. Amounts are in smallest units, addresses as people write them. */
interface SourceFact {
  /** The id of the settlement, refund, top-up or withdrawal. */
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
  /** When the source came this far; absent: when it is booked. */
  readonly occurredAt?: Date;
}

/** The money that a settlement took from one deposit address, fee included. */
export interface FollowedPayout {
  readonly paymentRequestId: PaymentRequestId;
  /** The deposit address in lower case. */
  readonly address: string;
  readonly gross: bigint;
  readonly feeBasisPoints: number;
}

/** `amount` reached the settlement address and `feeAmount` the fee recipient. */
export interface SettlementFact extends SourceFact {
  readonly kind: 'settlement';
  readonly status: FollowedStatus;
  readonly feeAmount: bigint;
  /** One for each deposit address; they sum to `amount` and `feeAmount`. */
  readonly payouts: readonly FollowedPayout[];
}

export interface Gas {
  readonly uniqueAssetId: string;
  readonly amount: bigint;
}

export interface RefundFact extends SourceFact {
  readonly kind: 'refund';
  readonly status: FollowedStatus;
  readonly paymentRequestId: PaymentRequestId;
  readonly referenceId?: string;
  /** Present where the merchant's own wallet pays it, and not the float. */
  readonly paidBy?: 'merchant' | undefined;
  /** Present once the refund has ended in a final block. */
  readonly gas?: Gas;
}

/** The float was paid to the settlement address. */
export interface FloatWithdrawalFact extends SourceFact {
  readonly kind: 'float_withdrawal';
  readonly status: FollowedStatus;
  readonly gas?: Gas;
}

/** The float holds more, in a final block. */
export interface TopUpFact extends SourceFact {
  readonly kind: 'top_up';
  readonly status: 'completed';
}

/** A state of a settlement, a refund or a float; its transaction follows it. */
export type SourceEvent = SettlementFact | RefundFact | FloatWithdrawalFact | TopUpFact;
