import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

/** A step after a payment in another context: a ledger transaction, settlement, refund or webhook delivery. */
export interface LaterRecord {
  readonly kind: 'transaction' | 'settlement' | 'refund' | 'webhook';
  readonly id: string;
  readonly at: Date;
  /** Current status. For a webhook delivery attempt: the status after the attempt. */
  readonly status: string;
  readonly type?: string;
  /** Amount in smallest units of an asset with `decimals`. */
  readonly amount?: bigint;
  readonly currency?: string;
  readonly decimals?: number;
  readonly transactionHash?: string;
  /** Webhook delivery that an attempt belongs to. */
  readonly deliveryId?: string;
  /** Number of the webhook delivery attempt. Absent before the first attempt. */
  readonly attempt?: number;
  readonly httpStatus?: number;
  readonly error?: string;
  readonly nextAttemptAt?: Date;
}

/**
 * Reads the steps after a payment. Implemented by the contexts that post, settle, refund and notify, because
 * payments does not depend on them.
 */
export abstract class LaterRecords {
  /**
   * Returns the steps after a payment, oldest first, with at most the newest fifty webhook attempts. Runs one
   * indexed statement.
   */
  abstract recordsOf(organization: OrganizationId, id: PaymentRequestId): Promise<LaterRecord[]>;
}
