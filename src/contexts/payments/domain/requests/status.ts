import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** The ledger posts the payment at `confirmed`. */
export type HistoryStatus = PaymentRequestStatus | 'confirmed';

export const OUTCOME_STATUSES = ['completed', 'overpaid', 'underpaid'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

export const PAID_STATUSES = ['completed', 'overpaid'] as const;

/** No transfer counts. */
export const UNPAID_ENDED_STATUSES = ['expired', 'failed'] as const;

export const ENDED_STATUSES = [...OUTCOME_STATUSES, ...UNPAID_ENDED_STATUSES] as const;
export type EndedStatus = (typeof ENDED_STATUSES)[number];

export const PAYMENT_UNSEEN_STATUSES = ['pending', 'created'] as const;

/** The outcome depends on the blocks read from the request's networks. */
export const WATCHED_STATUSES = ['created', 'processing'] as const;

export const OPEN_STATUSES = ['pending', ...WATCHED_STATUSES] as const;

/** Documented in docs/reference/payments.md, "Transitions". */
export const STATUS_TRANSITIONS: Record<PaymentRequestStatus, readonly PaymentRequestStatus[]> = {
  pending: ['created', 'expired', 'failed'],
  created: ['processing', 'expired', 'failed'],
  processing: ['completed', 'overpaid', 'underpaid', 'expired', 'failed'],
  completed: [],
  overpaid: [],
  underpaid: [],
  expired: [],
  failed: [],
};

export function isOneOf<S extends HistoryStatus>(statuses: readonly S[], status: HistoryStatus): status is S {
  return statuses.some((each) => each === status);
}

export function isEnded(status: PaymentRequestStatus): status is EndedStatus {
  return isOneOf(ENDED_STATUSES, status);
}
