export const RECEIPT_STATUSES = [
  'paid',
  'partly_paid',
  'partly_refunded',
  'refunded',
  'partly_reversed',
  'reversed',
] as const;

/**
 * Status of a receipt. `paid`: the merchant received the requested amount, or accepts the shortfall. `partly_paid`:
 * the merchant received less and has not accepted that. A refund status takes precedence over these two. `reversed`,
 * for a transfer that disappeared from the chain, takes precedence over all others.
 */
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

/** @param amounts amounts in smallest units of the received asset */
export function decideReceiptStatus({
  fulfilled,
  received,
  reversed,
  refunded,
}: {
  readonly fulfilled: boolean;
  readonly received: bigint;
  readonly reversed: bigint;
  readonly refunded: bigint;
}): ReceiptStatus {
  if (reversed > 0n) return reversed >= received ? 'reversed' : 'partly_reversed';
  if (refunded > 0n) return refunded >= received ? 'refunded' : 'partly_refunded';
  return fulfilled ? 'paid' : 'partly_paid';
}
