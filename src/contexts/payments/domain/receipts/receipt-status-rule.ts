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
 * neither is true. Refunds replace these statuses, and reversals of transfers that disappeared from the chain
 * replace both.
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
