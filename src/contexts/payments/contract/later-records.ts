import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

/** A later step of a payment elsewhere: in the ledger, on the way to a settlement address, back to the payer, at a webhook. */
export interface LaterRecord {
  readonly kind: 'transaction' | 'settlement' | 'refund' | 'webhook';
  /** The id of the transaction, the settlement, the refund, or the webhook that was called. */
  readonly id: string;
  readonly at: Date;
  /** The present status; for an attempt to deliver, the status after the attempt. */
  readonly status: string;
  /** A transaction's type, or an event's. */
  readonly type?: string;
  /** Smallest units of an asset with `decimals`. */
  readonly amount?: bigint;
  readonly currency?: string;
  readonly decimals?: number;
  readonly transactionHash?: string;
  /** Absent for a delivery that waits for its first. */
  readonly attempt?: number;
  readonly httpStatus?: number;
  readonly error?: string;
  /** When a failed attempt is followed by another. */
  readonly nextAttemptAt?: Date;
}

/** Payments, which collects, does not know who books, delivers, refunds and notifies. */
export abstract class LaterRecords {
  /** One statement, by indexes. Oldest first; at most the newest fifty attempts at webhooks. */
  abstract recordsOf(organization: OrganizationId, id: PaymentRequestId): Promise<LaterRecord[]>;
}
