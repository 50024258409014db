import type { Asset } from '#shared/kernel/asset.js';

export type Finality =
  | { readonly kind: 'confirmations'; readonly confirmations: number }
  /** `typicalConfirmations` is for estimates only. */
  | { readonly kind: 'finalized'; readonly typicalConfirmations: number };

/**
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

export function finalBlockByConfirmations(head: number, confirmations: number): number | null {
  // The head block has one confirmation.
  const number = head - confirmations + 1;
  return number < 0 ? null : number;
}
