import type { AccountId, OrganizationId, PaymentRequestId, TransactionId } from '#shared/kernel/ids.js';
import type { Posting } from '../balanced-posting.js';
import type { FollowedStatus } from './facts.js';

interface OfTransaction {
  readonly transactionId: TransactionId;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
}

/** Journal lines that a transaction gets after its first. */
export interface LaterLines extends OfTransaction {
  readonly firstLine: number;
  readonly posting: Posting;
  /** When the money moved; absent: when it is booked. */
  readonly occurredAt?: Date;
}

/** A status of a transaction after its first. */
export interface StatusChange extends OfTransaction {
  /** The number among the transaction's statuses; the first is 1. */
  readonly step: number;
  readonly status: FollowedStatus;
  readonly transactionHash?: string;
}

/** A settlement delivered what a transaction booked. */
export interface SettledLink extends OfTransaction {
  readonly settlementId: string;
  /** The settlement's own transaction. */
  readonly withdrawalId: TransactionId;
}

/** A payout that took money before it was booked. */
export interface UncoveredPayout {
  readonly withdrawalId: TransactionId;
  readonly settlementId: string;
  readonly organizationId: OrganizationId;
  readonly accountId: AccountId;
  readonly paymentRequestId: PaymentRequestId;
  /** The deposit address in lower case. */
  readonly address: string;
  readonly uniqueAssetId: string;
  readonly gross: bigint;
  readonly feeBasisPoints: number;
  /** The part of the gross that no transaction stands for yet. */
  readonly uncovered: bigint;
}

/** The rows written beside new transactions. Rows are only added; a payout's row is replaced by its present state. */
export interface LaterRows {
  readonly lines: readonly LaterLines[];
  readonly statuses: readonly StatusChange[];
  readonly links: readonly SettledLink[];
  readonly payouts: readonly UncoveredPayout[];
  /** Withdrawals whose payouts no transaction will stand for: their settlements have failed. */
  readonly failed: readonly TransactionId[];
}
