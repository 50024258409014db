import type { AccountId, OrganizationId, PaymentRequestId, LedgerTransactionId } from '#shared/kernel/ids.js';
import type { Posting } from './balanced-posting.js';

/** Transaction types of the API (docs/reference/transactions.md, "Types"). */
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

/** `vault`: a deposit address, or its contract. `settlement_address`: the merchant's wallet. */
export const TRANSACTION_PARTY_TYPES = ['wallet', 'vault', 'settlement_address'] as const;
export type TransactionPartyType = (typeof TRANSACTION_PARTY_TYPES)[number];

export const FINANCIAL_PROVIDERS = ['onchain'] as const;
export type FinancialProvider = (typeof FINANCIAL_PROVIDERS)[number];

export interface TransactionParty {
  readonly address: string;
  readonly type: TransactionPartyType;
}

/** Amounts are in smallest units. */
export interface Transaction {
  readonly id: LedgerTransactionId;
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
  readonly from: TransactionParty;
  readonly to: TransactionParty;
  readonly financialProvider: FinancialProvider;
  readonly transactionHash?: string;
  readonly paymentRequestId?: PaymentRequestId;
  readonly transferId?: string;
  readonly sourceId?: string;
  readonly referenceId?: string;
  /** Block timestamp of the transfer, or time of the status change. Default: the time of booking. */
  readonly occurredAt?: Date;
  /** Absent if no funds have moved yet. */
  readonly posting?: Posting;
}
