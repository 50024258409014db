import type { Derivation } from '#contexts/networks/contract/deposit-addresses.js';

/** The outputs that evidence names, as `transferOf` wrote it; none of what is no evidence of this chain type. */
export function spentBy({ spends }: Derivation): readonly string[] {
  return Array.isArray(spends) ? spends.filter((each) => typeof each === 'string') : [];
}
