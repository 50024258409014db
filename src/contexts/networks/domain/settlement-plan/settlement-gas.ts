/** The limits of the parts of settling, as the factory takes them (solidity/README.md). In gas. */
export interface GasLimits {
  readonly reading: bigint;
  readonly payout: bigint;
  readonly creation: bigint;
  readonly fee: bigint;
  readonly reserve: bigint;
}

/** Suits ordinary tokens at today's prices. What creation costs differs most between chains and forks, and is asked. */
const ORDINARY = { reading: 100_000n, payout: 650_000n, fee: 200_000n, reserve: 20_000n };

/** @param creation what a node estimates for one; a quarter is added, since calls inside a transaction lose a 64th each */
export function gasLimits(creation: bigint): GasLimits {
  return { ...ORDINARY, creation: (creation * 5n) / 4n };
}

/** The gas that must be left when an item begins that is created first; else the factory stops there. */
export function gasOfOneItem({ reading, payout, creation, reserve }: GasLimits): bigint {
  return allowing(reading) + allowing(payout) + allowing(creation) + reserve;
}

/** A call receives all of it only if a 64th more is left (EIP-150). */
function allowing(gas: bigint): bigint {
  return gas + gas / 63n + 1n;
}

/** More than this no transaction may have where EIP-7825 is in force; elsewhere larger ones would save next to nothing. */
export const MAX_TRANSACTION_GAS = 2n ** 24n;

/** The highest gas limit of one settlement: at most half a block, so that it finds room among others. */
export function maxGasOfTransaction(blockGasLimit: bigint): bigint {
  const half = blockGasLimit / 2n;
  return half < MAX_TRANSACTION_GAS ? half : MAX_TRANSACTION_GAS;
}

/** The most gas that a transaction used before up to a fifth of it was refunded (EIP-3529). */
export function gasBeforeRefunds(gasUsed: bigint): bigint {
  return (gasUsed * 5n + 3n) / 4n;
}

/** The limit with which the last item still has all that it may use. @param gasUsed of the same call, simulated */
export function gasOfTransaction(gasUsed: bigint, limits: GasLimits): bigint {
  return gasBeforeRefunds(gasUsed) + gasOfOneItem(limits);
}

/**
 * In their order, as many together as there is room for. One that is too large for itself is a batch of its own, which
 * simulation will refuse.
 * @param costOf gas of one, alone in a transaction: more than it costs among others
 */
export function cutIntoBatches<T>(items: readonly T[], costOf: (item: T) => bigint, room: bigint): T[][] {
  const batches: T[][] = [];
  let left = 0n;
  for (const item of items) {
    const cost = costOf(item);
    const current = batches.at(-1);
    if (current === undefined || cost > left) {
      batches.push([item]);
      left = room - cost;
    } else {
      current.push(item);
      left -= cost;
    }
  }
  return batches;
}
