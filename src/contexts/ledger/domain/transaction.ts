import type { AccountId, OrganizationId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import type { Posting } from './balanced-posting.js';

/** All that a reader may meet (docs/reference/transactions.md, "Types"). */
export const TRANSACTION_TYPES = [
  'payment_in',
  'payment_out',
  'deposit',
  'withdraw',
  'refund',
  'adjustment',
  'swap',
  'dry_run',
] as const;
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** All that a reader may meet (docs/reference/transactions.md, "Types"). */
export const TRANSACTION_STATUSES = [
  'preview',
  'pending',
  'created',
  'processing',
  'completed',
  'failed',
  'error',
  'expired',
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/**
 * An end of a movement: `vault` is a deposit address, or the contract that pays deposit addresses out; `settlement_address` is
 * of the merchant's own wallet.
 */
export const ENDPOINT_TYPES = ['wallet', 'vault', 'settlement_address'] as const;
export type EndpointType = (typeof ENDPOINT_TYPES)[number];

export const FINANCIAL_PROVIDERS = ['onchain'] as const;
export type FinancialProvider = (typeof FINANCIAL_PROVIDERS)[number];

/** An end of a movement on a chain. */
export interface MovementEndpoint {
  readonly address: string;
  readonly type: EndpointType;
}

/** A record to be written, with the journal lines beneath it. Amounts in smallest units. */
export interface Transaction {
  readonly id: TransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly grossAmount: bigint;
  readonly netAmount: bigint;
  readonly expectedAmount: bigint;
  readonly decimals: number;
  readonly currency: string;
  readonly network: string;
  readonly uniqueAssetId: string;
  readonly from: MovementEndpoint;
  readonly to: MovementEndpoint;
  readonly financialProvider: FinancialProvider;
  /** Absent where no transaction is known to have brought the value. */
  readonly transactionHash?: string;
  /** Absent where no single payment request is meant. */
  readonly paymentRequestId?: PaymentRequestId;
  /** The transfer that a deposit books or an adjustment reverses. */
  readonly transferId?: string;
  /** The settlement, refund, float top-up or float withdrawal that it is the record of. */
  readonly sourceId?: string;
  readonly referenceId?: string;
  /** When the money moved: the block's time, or that of the source's step. Absent: when it is booked. */
  readonly occurredAt?: Date;
  /** Absent where nothing has moved yet. */
  readonly posting?: Posting;
}
