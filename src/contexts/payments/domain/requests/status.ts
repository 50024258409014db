import type { PaymentRequestStatus } from '../../contract/payment-request-events.js';

/** What the record's history lists: the polled statuses and the ledger step after an outcome. */
export type HistoryStatus = PaymentRequestStatus | 'confirmed';

/** Every allowed change of the polled status (docs/api/payments.md, "Transitions"). What is not here never happens. */
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

export function isTerminal(status: PaymentRequestStatus): boolean {
  return TRANSITIONS[status].length === 0;
}
