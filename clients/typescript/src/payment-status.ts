/** docs/reference/payments.md: a payment request that has one of these never changes its status again. */
const FINAL: readonly string[] = ['completed', 'overpaid', 'underpaid', 'expired', 'failed'];

/** True for a status that no other follows. Statuses are text, since more may be added. */
export function isFinalStatus(status: string): boolean {
  return FINAL.includes(status);
}

/** A payment request, a checkout, or the status in an event with the `fulfilled` beside its body. */
export interface PaidOrNot {
  readonly status?: string | undefined;
  readonly fulfilled?: boolean | undefined;
}

/**
 * True once what was asked for has arrived, or more, and stays: an order can be shipped. A status alone does not say that the account
 * accepts an `underpaid` one.
 */
export function isPaid(payment: string | PaidOrNot): boolean {
  const { status, fulfilled = false } = typeof payment === 'string' ? { status: payment } : payment;
  return fulfilled || status === 'completed' || status === 'overpaid';
}
