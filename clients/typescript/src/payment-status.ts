/** docs/api/payments.md: a payment request that has one of these never changes its status again. */
const FINAL: readonly string[] = ['completed', 'overpaid', 'underpaid', 'expired', 'failed'];

/** True for a status that no other follows. Statuses are text, since more may be added. */
export function isFinalStatus(status: string): boolean {
  return FINAL.includes(status);
}

/** True once the whole amount has arrived, or more, and stays: an order can be shipped. */
export function isPaid(status: string): boolean {
  return status === 'completed' || status === 'overpaid';
}
