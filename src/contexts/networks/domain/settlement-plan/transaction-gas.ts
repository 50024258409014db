import { type GasLimits, gasOfOneItem } from './gas-limits.js';

/** More than this no transaction may have where EIP-7825 is in force; elsewhere larger ones would save next to nothing. */
export const MOST_OF_A_TRANSACTION = 2n ** 24n;

/** The most gas that one settlement may be given: at most half a block, so that it finds room among others. */
export function mostGasOfTransaction(blockGasLimit: bigint): bigint {
  const half = blockGasLimit / 2n;
  return half < MOST_OF_A_TRANSACTION ? half : MOST_OF_A_TRANSACTION;
}

/** The most gas that a transaction used before up to a fifth of it was refunded (EIP-3529). */
export function gasBeforeRefunds(gasUsed: bigint): bigint {
  return (gasUsed * 5n + 3n) / 4n;
}

/** The limit with which the last item still has all that it may use. @param gasUsed of the same call, simulated */
export function gasOfTransaction(gasUsed: bigint, limits: GasLimits): bigint {
  return gasBeforeRefunds(gasUsed) + gasOfOneItem(limits);
}
