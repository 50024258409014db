import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/**
 * Statuses in the history of a request: those of the API, and `confirmed` after an outcome, when the ledger posts
 * the payment.
 */
export type HistoryStatus = PaymentRequestStatus | 'confirmed';

/** Statuses of a request that ended with money received. The ledger then posts the payment. */
export const OUTCOME_STATUSES = ['completed', 'overpaid', 'underpaid'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** Statuses of a request that ended with at least the requested amount. */
export const PAID_STATUSES = ['completed', 'overpaid'] as const;

/** Statuses of a request that ended without an outcome: no transfer counts. */
export const UNPAID_ENDED_STATUSES = ['expired', 'failed'] as const;

export const ENDED_STATUSES = [...OUTCOME_STATUSES, ...UNPAID_ENDED_STATUSES] as const;
export type EndedStatus = (typeof ENDED_STATUSES)[number];

/** Statuses of an open request for which no transfer was seen. */
export const UNSEEN_STATUSES = ['pending', 'created'] as const;

/** Statuses of an open request with a deposit address. Its outcome depends on the blocks read from its networks. */
export const WATCHED_STATUSES = ['created', 'processing'] as const;

export const OPEN_STATUSES = ['pending', ...WATCHED_STATUSES] as const;

/** Allowed status transitions (docs/reference/payments.md, "Transitions"). */
export const TRANSITIONS: Record<PaymentRequestStatus, readonly PaymentRequestStatus[]> = {
  pending: ['created', 'expired', 'failed'],
  created: ['processing', 'expired', 'failed'],
  processing: ['completed', 'overpaid', 'underpaid', 'expired', 'failed'],
  completed: [],
  overpaid: [],
  underpaid: [],
  expired: [],
  failed: [],
};

export const PAYMENT_REQUEST_STATUSES = Object.keys(TRANSITIONS) as PaymentRequestStatus[];

export function isOneOf<S extends HistoryStatus>(statuses: readonly S[], status: HistoryStatus): status is S {
  return statuses.some((each) => each === status);
}

export function isEnded(status: PaymentRequestStatus): status is EndedStatus {
  return isOneOf(ENDED_STATUSES, status);
}
