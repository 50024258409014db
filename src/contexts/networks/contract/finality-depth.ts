import type { Asset } from '#shared/kernel/asset.js';

/** The rule by which a block is final: a number of confirmations, or the chain's own `finalized` tag. */
export type Finality =
  | { readonly kind: 'confirmations'; readonly confirmations: number }
  /** Finality by the chain's `finalized` tag. `typicalConfirmations` is for display only. */
  | { readonly kind: 'finalized'; readonly typicalConfirmations: number };

/**
 * Returns the number of confirmations at which a transfer is final, for display to payers and merchants.
 * @param amount in smallest units; null for any amount
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

/** Returns the number of the newest block with at least this many confirmations. Null if there is none yet. */
export function finalByConfirmations(head: number, confirmations: number): number | null {
  // The head block has one confirmation.
  const number = head - confirmations + 1;
  return number < 0 ? null : number;
}
