/** Final statuses (docs/reference/payments.md). */
const FINAL: readonly string[] = ['completed', 'overpaid', 'underpaid', 'expired', 'failed'];

/** @returns whether the status is final; false for unknown statuses, because new ones can be added */
export function isFinalStatus(status: string): boolean {
  return FINAL.includes(status);
}

/** Payment request, checkout, or `status` and `fulfilled` of an event. */
export interface PaidOrNot {
  readonly status?: string | undefined;
  readonly fulfilled?: boolean | undefined;
}

/**
 * Reports whether the payment is final and sufficient, so that the order can be shipped: `completed`, `overpaid` or `fulfilled`.
 * @param payment a payment, or only its status; a status cannot show that the account accepts an underpayment
 */
export function isPaid(payment: string | PaidOrNot): boolean {
  const { status, fulfilled = false } = typeof payment === 'string' ? { status: payment } : payment;
  return fulfilled || status === 'completed' || status === 'overpaid';
}
