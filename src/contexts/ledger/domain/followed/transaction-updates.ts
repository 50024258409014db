import type { AccountId, OrganizationId, PaymentRequestId, LedgerTransactionId } from '#shared/kernel/ids.js';
import type { Posting } from '../balanced-posting.js';
import type { SourceStatus } from './facts.js';

interface TransactionKey {
  readonly transactionId: LedgerTransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

export interface AddedJournalLines extends TransactionKey {
  readonly firstLine: number;
  readonly posting: Posting;
  readonly occurredAt?: Date;
}

export interface TransactionStatusChange extends TransactionKey {
  readonly step: number;
  readonly status: SourceStatus;
  readonly transactionHash?: string;
}

export interface SettlementLink extends TransactionKey {
  readonly settlementId: string;
  readonly withdrawalId: LedgerTransactionId;
}

/** A payout that took funds before they were booked. */
export interface PayoutWithUnbookedFunds {
  readonly withdrawalId: LedgerTransactionId;
  readonly settlementId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly gross: bigint;
  readonly feeBasisPoints: number;
  readonly uncovered: bigint;
}

/** Rows are only added, except those of payouts, which are updated. */
export interface TransactionUpdates {
  readonly lines: readonly AddedJournalLines[];
  readonly statuses: readonly TransactionStatusChange[];
  readonly links: readonly SettlementLink[];
  readonly payouts: readonly PayoutWithUnbookedFunds[];
  /** Funds booked later are no longer linked to the payouts of failed settlements. */
  readonly failed: readonly LedgerTransactionId[];
}
