export const RECEIPT_STATUSES = [
  'paid',
  'partly_paid',
  'partly_refunded',
  'refunded',
  'partly_reversed',
  'reversed',
] as const;

/** Refund statuses take precedence over `paid` and `partly_paid`; `reversed` takes precedence over all others. */
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

/** @param amounts in smallest units of the received asset */
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
