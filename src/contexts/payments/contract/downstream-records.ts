import type { OrganizationId, PaymentRequestId } from '#shared/kernel/ids.js';

/** A ledger transaction, settlement, refund or webhook delivery, or the acceptance of an underpayment. */
export interface DownstreamRecord {
  readonly kind: 'transaction' | 'settlement' | 'refund' | 'webhook' | 'acceptance';
  readonly id: string;
  readonly at: Date;
  /** Status after the attempt, for a webhook delivery attempt. */
  readonly status: string;
  readonly type?: string;
  /** In smallest units of an asset with `decimals`. */
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
  /** Email address of the person who accepted the underpayment. */
  readonly actor?: string;
}

/** Implemented by the contexts that post, settle, refund and notify, because payments does not depend on them. */
export abstract class DownstreamRecords {
  /** Oldest first, with at most the newest fifty webhook attempts. */
  abstract findByRequest(organization: OrganizationId, id: PaymentRequestId): Promise<DownstreamRecord[]>;
}
