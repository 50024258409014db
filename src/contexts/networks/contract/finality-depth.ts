import type { Asset } from '#shared/kernel/asset.js';

/** When a block can no longer disappear: a number of confirmations, or the chain's own `finalized` tag. */
export type Finality =
  | { readonly kind: 'confirmations'; readonly confirmations: number }
  /** `typicalConfirmations` is shown to payers; it decides nothing. */
  | { readonly kind: 'finalized'; readonly typicalConfirmations: number };

/**
 * Confirmations at which a transfer is final, as it is shown to payers and merchants.
 * @param amount smallest units; null: however large
 */
export function requiredConfirmations(
  { finality }: { readonly finality: Finality },
  { depths = [] }: Pick<Asset, 'depths'>,
  amount: bigint | null,
): number {
  const depth = depths.find(({ upTo }) => upTo === undefined || (amount !== null && amount <= upTo));
  if (depth !== undefined) return depth.confirmations;
  return finality.kind === 'confirmations' ? finality.confirmations : finality.typicalConfirmations;
}

/** The newest block that has so many confirmations, under a head of that number; null: none yet. */
export function finalByConfirmations(head: number, confirmations: number): number | null {
  // The block at the head has one confirmation.
  const number = head - confirmations + 1;
  return number < 0 ? null : number;
}
