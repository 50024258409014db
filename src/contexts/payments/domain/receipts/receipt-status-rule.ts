export const RECEIPT_STATUSES = [
  'paid',
  'partly_paid',
  'partly_refunded',
  'refunded',
  'partly_reversed',
  'reversed',
] as const;

/**
 * `paid`: the merchant has what it asked for, or accepts what it got. `partly_paid`: it does not. What became of the money later takes
 * their place: refunds, and before these transactions that have disappeared from the chain after they were final.
 */
export type ReceiptStatus = (typeof RECEIPT_STATUSES)[number];

/** @param amounts in smallest units of the asset that was received */
export function receiptStatus({
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
