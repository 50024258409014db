import type { AccountId, OrganizationId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import type { Posting } from '../balanced-posting.js';
import type { FollowedStatus } from './facts.js';

interface TransactionKey {
  readonly transactionId: TransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** Journal lines added to an existing transaction. */
export interface LaterLines extends TransactionKey {
  readonly firstLine: number;
  readonly posting: Posting;
  /** Time when the funds moved. If absent, the time of booking is used. */
  readonly occurredAt?: Date;
}

/** A status added to an existing transaction. */
export interface StatusChange extends TransactionKey {
  /** Number of the status within the transaction, from 1. */
  readonly step: number;
  readonly status: FollowedStatus;
  readonly transactionHash?: string;
}

/** Records that a settlement delivered the funds of a transaction. */
export interface SettlementLink extends TransactionKey {
  readonly settlementId: string;
  /** Transaction that records the settlement. */
  readonly withdrawalId: TransactionId;
}

/** A payout that took funds before they were booked. */
export interface UncoveredPayout {
  readonly withdrawalId: TransactionId;
  readonly settlementId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  /** Deposit address in lower case. */
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly gross: bigint;
  readonly feeBasisPoints: number;
  /** Part of `gross` that is not linked to a transaction yet. */
  readonly uncovered: bigint;
}

/** Rows to write in addition to new transactions. Rows are only added, except those of payouts, which are updated. */
export interface LaterRows {
  readonly lines: readonly LaterLines[];
  readonly statuses: readonly StatusChange[];
  readonly links: readonly SettlementLink[];
  readonly payouts: readonly UncoveredPayout[];
  /** Transactions of failed settlements. Funds booked later are no longer linked to their payouts. */
  readonly failed: readonly TransactionId[];
}
