import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

/** Later step of a payment in another context: a ledger transaction, settlement, refund or webhook delivery. */
export interface LaterRecord {
  readonly kind: 'transaction' | 'settlement' | 'refund' | 'webhook';
  readonly id: string;
  readonly at: Date;
  /** Current status; for a delivery attempt, the status after the attempt. */
  readonly status: string;
  readonly type?: string;
  /** Smallest units of an asset with `decimals`. */
  readonly amount?: bigint;
  readonly currency?: string;
  readonly decimals?: number;
  readonly transactionHash?: string;
  /** Absent before the first delivery attempt. */
  readonly attempt?: number;
  readonly httpStatus?: number;
  readonly error?: string;
  readonly nextAttemptAt?: Date;
}

/** Port for the contexts that post, settle, refund and notify, which payments does not depend on. */
export abstract class LaterRecords {
  /** Runs one indexed statement. Oldest first, with at most the newest fifty webhook attempts. */
  abstract recordsOf(organization: OrganizationId, id: PaymentRequestId): Promise<LaterRecord[]>;
}
